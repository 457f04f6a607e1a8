import { List, Stack, Text } from '@mantine/core';
import { t } from '../../../ui/text.ts';
import { SandboxCommand } from '../../first-steps/sandbox-command.tsx';
import { AdvanceForm } from '../../sandbox/advance-form.tsx';
import { PublisherLink } from '../../sandbox/publisher-link.tsx';
import { ShowRehearsal } from '../../sandbox/show-rehearsal.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { Section } from '../settings/section.tsx';
import { PurchaseForm } from './purchase-form.tsx';

export function SandboxPart() {
  const { may, sandboxOf } = usePublisher();
  const mayRehearse = may('program');
  return (
    <Stack gap="lg">
      <Section title={t('Clock')}>
        {mayRehearse ? (
          <AdvanceForm />
        ) : (
          <Text size="sm">{t('An owner, manager, or developer can advance the clock.')}</Text>
        )}
      </Section>
      {may('payouts') && <ShowRehearsal />}
      {mayRehearse && (
        <Section
          title={t('Record a purchase')}
          about={t(
            'Recorded at the sandbox clock’s time, under the same rules as purchases from your back end.',
          )}
        >
          <PurchaseForm />
          {may('keys') && <SandboxCommand />}
        </Section>
      )}
      <Section title={t('What to check')}>
        <List size="sm" spacing={4}>
          <List.Item>
            <ScreenLink isInText screen="payouts">
              {t('Payouts')}
            </ScreenLink>
            :{' '}
            {t(
              'who is due a payout at the clock’s time, and how long others wait. You can create a payout and mark it as paid.',
            )}
          </List.Item>
          <List.Item>
            <ScreenLink isInText screen="shares">
              {t('Shares')}
            </ScreenLink>
            : {t('which schedule is running. Try out new ones here first.')}
          </List.Item>
          <List.Item>
            <ScreenLink isInText screen="bounties">
              {t('Bounties')}
            </ScreenLink>
            : {t('creators’ progress.')}
          </List.Item>
          {may('keys') && (
            <List.Item>
              <ScreenLink isInText screen="developers">
                {t('Developers')}
              </ScreenLink>
              : {t('sandbox API keys for testing your integration.')}
            </List.Item>
          )}
        </List>
        {sandboxOf !== null && (
          <Text size="sm" mt="sm">
            {t('To start over,')}{' '}
            <PublisherLink publisherId={sandboxOf} screen="sandbox">
              {t('copy the live program again or load demo data')}
            </PublisherLink>
            .
          </Text>
        )}
      </Section>
    </Stack>
  );
}
