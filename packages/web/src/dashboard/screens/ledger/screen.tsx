import { Alert, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listVerificationsOptions, readLedgerOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { LedgerState } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { Proofs } from './proofs.tsx';
import { VerifyButtons } from './verify-buttons.tsx';
import { ZeroSumTable } from './zero-sum-table.tsx';

const lookEveryMs = 10_000;

/** Whether what is owed is what was earned, and when that was proven. */
export function Screen() {
  const { publisherId, may } = usePublisher();
  const asked = useQuery({
    ...readLedgerOptions({ path: { publisherId } }),
    refetchInterval: lookEveryMs,
  });
  const proofs = useQuery({
    ...listVerificationsOptions({ path: { publisherId }, query: { limit: 50 } }),
    refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? 1_000 : lookEveryMs),
  });
  const { data, error, refetch } = asked;
  const underWay = proofs.data?.rows.find(isUnderWay);
  const isProving = underWay !== undefined;
  useEffect(() => {
    if (!isProving) void refetch(); // what a proof found is said above, too
  }, [isProving, refetch]);
  return (
    <ScreenPage
      title={t('Ledger health')}
      about={t('Earned − reversed + bounties − paid − owed is zero, in each currency, at every moment.')}
      actions={may('verify') && <VerifyButtons isUnderWay={isProving} />}
    >
      <Stack gap="xl">
        {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <LateSkeleton />}
        {data !== undefined && (
          <>
            <Health ledger={data} lastFault={faultOf(proofs.data?.rows[0])} />
            <ZeroSumTable zeroSums={data.zeroSums} at={data.at} />
          </>
        )}
        <Stack gap="xs">
          <Title order={2} size="h4">
            {t('Proofs')}
          </Title>
          <Text size="sm" c="dimmed">
            {t(
              'A proof explains every balance by rows. “Verify” looks at what has moved since the last one, “Verify everything” reads all purchases again.',
            )}
          </Text>
          <Proofs page={proofs} />
        </Stack>
      </Stack>
    </ScreenPage>
  );
}

const isUnderWay = ({ status }: { status: string }): boolean => status === 'Waiting' || status === 'Running';

type Last = { status: string; endedAt: string | null } | undefined;
const faultOf = (last: Last): string | null => (last?.status === 'NotExplained' ? last.endedAt : null);

function Health({
  ledger: { zeroSums, unposted, proven },
  lastFault,
}: {
  ledger: LedgerState;
  lastFault: string | null;
}) {
  const isZero = zeroSums.every(({ differenceMinor }) => differenceMinor === '0');
  return (
    <Stack>
      {!isZero && (
        <Alert color="red" role="alert" title={t('The ledger does not add up')}>
          {t('Have it proven: the proof names the first row or sum that is not explained.')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Stack gap={4} align="flex-start">
          <Text size="sm" c="dimmed">
            {t('Sums')}
          </Text>
          <StatusBadge tone={isZero ? 'good' : 'bad'}>
            {isZero ? t('Add up') : t('Do not add up')}
          </StatusBadge>
        </Stack>
        <Stack gap={4} align="flex-start">
          <Text size="sm" c="dimmed">
            {t('Last proof')}
          </Text>
          <Proven proven={proven} lastFault={lastFault} />
        </Stack>
        <Stack gap={4} align="flex-start">
          <Text size="sm" c="dimmed">
            {t('Waiting to be posted')}
          </Text>
          <Unposted unposted={unposted} />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

function Proven({ proven, lastFault }: { proven: LedgerState['proven']; lastFault: string | null }) {
  if (lastFault !== null)
    return (
      <>
        <StatusBadge tone="bad">{t('Found a fault')}</StatusBadge>
        <Text size="sm">
          <When at={lastFault} />
        </Text>
      </>
    );
  if (proven === null) return <StatusBadge tone="waiting">{t('Never proven')}</StatusBadge>;
  return (
    <>
      <StatusBadge tone="good">{t('Sound')}</StatusBadge>
      <Text size="sm">
        <When at={proven.lastAt} />
        {proven.allAt !== proven.lastAt && (
          <>
            {'; '}
            {t('everything')} <When at={proven.allAt} />
          </>
        )}
      </Text>
    </>
  );
}

function Unposted({ unposted: { rowCount, isAtLeast, oldestAt } }: { unposted: LedgerState['unposted'] }) {
  if (rowCount === 0) return <StatusBadge tone="good">{t('Nothing')}</StatusBadge>;
  return (
    <>
      <StatusBadge tone="running">{`${rowCount.toLocaleString()}${isAtLeast ? '+' : ''}`}</StatusBadge>
      <Text size="sm">
        {t('the oldest since')} <When at={oldestAt} precision="second" />
      </Text>
    </>
  );
}
