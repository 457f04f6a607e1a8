import { Anchor, Button, Group, List, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { getSandboxOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Sandbox } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { aheadWords } from '../../sandbox/clock-words.tsx';
import { usePublisher } from '../../session/session.ts';
import { Section } from '../settings/section.tsx';
import { useCopy } from './use-copy.ts';

/** Sandbox screen for a live publisher: its sandbox, or instructions to create one. */
export function LivePart() {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(getSandboxOptions({ path: { publisherId } }));
  if (data === undefined)
    return error === null ? <LateSkeleton /> : <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="lg">
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data.sandbox === null ? <None /> : <Open sandbox={data.sandbox} />}
      <Section title={t('What is copied')}>
        <List size="sm" spacing={4}>
          <List.Item>
            {t('Groups, tiers, SKU shares, schedules and bounties, and creators with their tiers and codes.')}
          </List.Item>
          <List.Item>
            {t(
              'Up to 100,000 purchases from the days you choose, with their dates and shares, except reversed purchases and those in a payout. Amounts become due under the same rules. Buyers aren’t copied. Bounties start counting from zero.',
            )}
          </List.Item>
          <List.Item>
            {t(
              'Payouts, bounty rewards, API keys and webhook endpoints aren’t copied. Your team has the same roles there, and developers can also change the program.',
            )}
          </List.Item>
          <List.Item>{t('Global codes become group codes in each group.')}</List.Item>
        </List>
      </Section>
    </Stack>
  );
}

function None() {
  const { may } = usePublisher();
  const copy = useCopy();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [days, setDays] = useState(defaultSpan);
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    await copy(null, days).catch(setError);
    setBusy(false);
  };
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <EmptyState
        icon="sandbox"
        title={t('No sandbox yet')}
        action={
          may('program') && (
            <Group align="flex-end" justify="center">
              <SpanChoice days={days} onChange={setDays} />
              <Button loading={isBusy} onClick={() => void start()}>
                {t('Copy live')}
              </Button>
            </Group>
          )
        }
      >
        {may('program')
          ? t('Copy the current program. It takes a few seconds and changes nothing here.')
          : t('An owner or manager can copy the program. The sandbox then appears here.')}
      </EmptyState>
    </>
  );
}

function Open({ sandbox }: { sandbox: Sandbox }) {
  const { may } = usePublisher();
  const copy = useCopy();
  const [isConfirming, setConfirming] = useState(false);
  const [days, setDays] = useState(defaultSpan);
  return (
    <Section title={sandbox.name}>
      <Stack gap="sm">
        <Text size="sm">
          {t('Copied')} <When at={sandbox.copiedAt} />. {t('Its clock is at')} <When at={sandbox.now} /> (
          {aheadWords(sandbox.aheadMs)}).
        </Text>
        <Group>
          <Anchor
            renderRoot={(props) => (
              <Link
                {...props}
                to={'/p/$publisherId/sandbox' as never}
                params={{ publisherId: sandbox.publisherId } as never}
              />
            )}
          >
            {t('Open the sandbox')}
          </Anchor>
          {may('program') && (
            <Button variant="default" onClick={() => setConfirming(true)}>
              {t('Copy live again…')}
            </Button>
          )}
        </Group>
      </Stack>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={t('Copy live to a new sandbox?')}
        action={t('Copy live')}
        onConfirm={() => copy(sandbox.publisherId, days)}
        isDangerous
      >
        <Stack gap="sm">
          <SpanChoice days={days} onChange={setDays} />
          {t(
            'The new sandbox replaces this one, which is closed permanently. Its API keys and webhook endpoints stop working.',
          )}
        </Stack>
      </ConfirmDialog>
    </Section>
  );
}

/** Default number of days whose purchases are copied. Most holds are shorter. */
const defaultSpan = 90;
const spans = [0, 30, defaultSpan, 365] as const;

/** Selector for the purchases to copy: either those from the last few days, or none. */
function SpanChoice({ days, onChange }: { days: number; onChange(days: number): void }) {
  return (
    <NativeSelect
      label={t('Purchases to copy')}
      value={String(days)}
      data={spans.map((each) => ({
        value: String(each),
        label: t('{days, plural, =0 {None} other {Last # days}}', { days: each }),
      }))}
      onChange={({ currentTarget: { value } }) => onChange(Number(value))}
    />
  );
}
