import { Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../../../ui/text.ts';
import { SandboxCommand } from '../../first-steps/sandbox-command.tsx';
import { AdvanceForm } from '../../sandbox/advance-form.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { Section } from '../settings/section.tsx';
import { PurchaseForm } from './purchase-form.tsx';

/** In a sandbox: its clock, purchases to rehearse with, and how one begins anew. */
export function SandboxPart() {
  const { may, sandboxOf } = usePublisher();
  const mayRehearse = may('program');
  return (
    <Stack gap="lg">
      <Section title={t('Clock')}>
        {mayRehearse ? (
          <AdvanceForm />
        ) : (
          <Text size="sm">{t('An owner, a manager or a developer advances it.')}</Text>
        )}
      </Section>
      {mayRehearse && (
        <Section
          title={t('Record a purchase')}
          about={t('Recorded at the sandbox clock’s time, by the same rules as purchases of your back end.')}
        >
          <PurchaseForm />
          {may('keys') && <SandboxCommand />}
        </Section>
      )}
      <Section title={t('What to look at')}>
        <List size="sm" spacing={4}>
          <List.Item>
            <ScreenLink isInText screen="payouts">
              {t('Payouts')}
            </ScreenLink>
            :{' '}
            {t('who is due at that time, and who waits until when. A payout can be made and marked as paid.')}
          </List.Item>
          <List.Item>
            <ScreenLink isInText screen="shares">
              {t('Shares')}
            </ScreenLink>
            : {t('which schedule runs. Try another one here first.')}
          </List.Item>
          <List.Item>
            <ScreenLink isInText screen="bounties">
              {t('Bounties')}
            </ScreenLink>
            : {t('how far creators are.')}
          </List.Item>
          {may('keys') && (
            <List.Item>
              <ScreenLink isInText screen="developers">
                {t('Developers')}
              </ScreenLink>
              : {t('a key of the sandbox, for an integration that records by itself.')}
            </List.Item>
          )}
        </List>
        <Text size="sm" mt="sm">
          {t('To begin anew,')}{' '}
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => (
              <Link
                {...props}
                to={'/p/$publisherId/sandbox' as never}
                params={{ publisherId: sandboxOf } as never}
              />
            )}
          >
            {t('copy live again')}
          </Anchor>
          .
        </Text>
      </Section>
    </Stack>
  );
}
