import { Button, Group, List, NativeSelect, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { closeSandbox } from '../../../client/sdk.gen.ts';
import type { Sandbox, SandboxAnswer } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { useFirstSteps } from '../../first-steps/use-first-steps.ts';
import { aheadWords } from '../../sandbox/clock-words.tsx';
import { DemoProgress, LoadDemo, useLoadDemo, useSandbox } from '../../sandbox/demo-data.tsx';
import { PublisherLink } from '../../sandbox/publisher-link.tsx';
import { useCopy } from '../../sandbox/use-copy.ts';
import { meOptions, usePublisher } from '../../session/session.ts';
import { Section } from '../settings/section.tsx';

/** Sandbox screen for a live publisher: its sandbox, or instructions to create one. */
export function LivePart() {
  const { data, error, refetch } = useSandbox();
  if (data === undefined)
    return error === null ? (
      <LateSkeleton />
    ) : (
      <ErrorNotice error={error} title={t('Couldn’t load the sandbox')} onRetry={() => void refetch()} />
    );
  return (
    <Stack gap="lg">
      {error !== null && (
        <ErrorNotice error={error} title={t('Couldn’t load the sandbox')} onRetry={() => void refetch()} />
      )}
      {data.sandbox === null ? <None /> : <Open sandbox={data.sandbox} loading={data.loading} />}
      <Section title={t('What is copied')}>
        <List size="sm" spacing={4}>
          <List.Item>
            {t('Groups, tiers, SKU shares, schedules, bounties, and creators with their tiers and codes.')}
          </List.Item>
          <List.Item>
            {t(
              'Up to 100,000 purchases from the days you choose, except those reversed or in a payout. Amounts become due under the same rules. Buyers aren’t copied, and bounties start from zero.',
            )}
          </List.Item>
          <List.Item>
            {t(
              'Payouts, bounty rewards, API keys, and webhook endpoints aren’t copied. Your team keeps its roles, and developers can also change the program.',
            )}
          </List.Item>
          <List.Item>{t('Codes that are valid in all groups become codes of each group.')}</List.Item>
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
  // A program without purchases isn't worth copying yet.
  const isUnused = useFirstSteps().data?.hasPurchases === false;
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    await copy(null, days).catch(setError);
    setBusy(false);
  };
  return (
    <>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t copy the live program')} />}
      <EmptyState
        icon="sandbox"
        title={t('No sandbox yet')}
        action={
          may('program') && (
            <Group align="flex-end" justify="center">
              <SpanChoice days={days} onChange={setDays} />
              <Button {...(isUnused && { variant: 'default' })} loading={isBusy} onClick={() => void start()}>
                {t('Copy the live program')}
              </Button>
            </Group>
          )
        }
      >
        {may('program')
          ? t('Copy the current program. It takes a few seconds and changes nothing here.')
          : t('An owner or manager can copy the program. The sandbox then appears here.')}
      </EmptyState>
      {may('program') && (
        <Section
          title={t('Start with demo data')}
          about={t('A sample program with half a year of purchases and payouts. It changes nothing here.')}
        >
          <LoadDemo isMain={isUnused} />
        </Section>
      )}
    </>
  );
}

type Replacing = 'copy' | 'demo' | 'close';

function Open({ sandbox, loading }: SandboxAnswer & { sandbox: Sandbox }) {
  const { may } = usePublisher();
  const [replacing, setReplacing] = useState<Replacing | null>(null);
  return (
    <Section title={sandbox.name}>
      <Stack gap="sm">
        <Text size="sm">
          {sandbox.isDemo ? t('Demo data loaded') : t('Copied')} <When at={sandbox.copiedAt} />.{' '}
          {t('Its clock is at')} <When at={sandbox.now} /> ({aheadWords(sandbox.aheadMs)}).
        </Text>
        {loading !== null && replacing === null && <DemoProgress />}
        <Group gap="xs">
          <PublisherLink publisherId={sandbox.publisherId} screen="overview" isButton>
            {t('Open the sandbox')}
          </PublisherLink>
          {may('program') && (
            <>
              <Button variant="default" onClick={() => setReplacing('copy')}>
                {t('Copy the live program again…')}
              </Button>
              <Button variant="default" onClick={() => setReplacing('demo')}>
                {t('Load demo data…')}
              </Button>
              <Button variant="default" color="red" onClick={() => setReplacing('close')}>
                {t('Remove…')}
              </Button>
            </>
          )}
        </Group>
      </Stack>
      <Questions sandboxId={sandbox.publisherId} replacing={replacing} onClose={() => setReplacing(null)} />
    </Section>
  );
}

interface QuestionsProps {
  sandboxId: string;
  replacing: Replacing | null;
  onClose(): void;
}

function Questions({ sandboxId, replacing, onClose }: QuestionsProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const copy = useCopy();
  const loadDemo = useLoadDemo();
  const [days, setDays] = useState(defaultSpan);
  const [isLoading, setLoading] = useState(false);
  const load = async (): Promise<void> => {
    setLoading(true);
    await loadDemo(sandboxId).finally(() => setLoading(false));
  };
  const remove = async (): Promise<void> => {
    await closeSandbox({ path: { publisherId }, body: { sandboxId }, throwOnError: true });
    await queryClient.fetchQuery({ ...meOptions, staleTime: 0 });
    await queryClient.invalidateQueries();
    toast(t('Sandbox removed'));
  };
  return (
    <>
      <ConfirmDialog
        opened={replacing === 'copy'}
        onClose={onClose}
        title={t('Copy the live program to a new sandbox?')}
        action={t('Copy the live program')}
        onConfirm={() => copy(sandboxId, days)}
        isDangerous
      >
        <Stack gap="sm">
          <SpanChoice days={days} onChange={setDays} />
          {t(
            'The new sandbox replaces this one, which is closed permanently. Its API keys and webhook endpoints stop working.',
          )}
        </Stack>
      </ConfirmDialog>
      <ConfirmDialog
        opened={replacing === 'demo'}
        onClose={onClose}
        title={t('Load demo data into a new sandbox?')}
        action={t('Load demo data')}
        onConfirm={load}
        isDangerous
      >
        <Stack gap="sm">
          {t(
            'When it’s ready, the new sandbox replaces this one, which is closed permanently. Its API keys and webhook endpoints stop working.',
          )}
          {isLoading && <DemoProgress />}
        </Stack>
      </ConfirmDialog>
      <ConfirmDialog
        opened={replacing === 'close'}
        onClose={onClose}
        title={t('Remove the sandbox?')}
        action={t('Remove sandbox')}
        onConfirm={remove}
        isDangerous
      >
        {t(
          'It’s closed permanently, and its API keys and webhook endpoints stop working. You can create a new sandbox at any time.',
        )}
      </ConfirmDialog>
    </>
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
