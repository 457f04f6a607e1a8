import { Alert, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listVerificationsOptions, readLedgerOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { LedgerState, LedgerVerification } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Parts } from '../../../ui/parts.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { VerificationStatus, Verifications } from './verifications.tsx';
import { useVerification, VerifyAll, VerifyFirst, VerifyRecent } from './verify-buttons.tsx';
import { ZeroSumTable } from './zero-sum-table.tsx';

const pollMs = 10_000;

/** Ledger health: whether balances match earnings, and the results of verifications. */
export function Screen() {
  const { publisherId, may } = usePublisher();
  const asked = useQuery({
    ...readLedgerOptions({ path: { publisherId } }),
    refetchInterval: pollMs,
  });
  const verifications = useQuery({
    ...listVerificationsOptions({ path: { publisherId }, query: { limit: 50 } }),
    refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? 1_000 : pollMs),
  });
  const { data, error, refetch } = asked;
  const underWay = verifications.data?.rows.find(isUnderWay);
  const isVerifying = underWay !== undefined;
  const { start, error: startError, isPending } = useVerification();
  const isBusy = isVerifying || isPending;
  const isNeverVerified = data !== undefined && data.proven === null;
  const mayVerify = data !== undefined && may('verify');
  const isUnused = data?.zeroSums.length === 0 && verifications.data?.rows.length === 0;
  useEffect(() => {
    if (!isVerifying) void refetch(); // shows the result at the top, too
  }, [isVerifying, refetch]);
  return (
    <ScreenPage
      title={t('Ledger')}
      about={t('All-time totals. In every currency, net must equal paid + to be paid + net owed.')}
      // The buttons wait for the ledger, because they would otherwise be replaced under the pointer.
      actions={mayVerify && !isNeverVerified && <VerifyAll isBusy={isBusy} onStart={start} />}
      mainAction={
        mayVerify &&
        (isNeverVerified ? (
          <VerifyFirst isBusy={isBusy} onStart={start} />
        ) : (
          <VerifyRecent isBusy={isBusy} onStart={start} />
        ))
      }
    >
      {startError !== null && <ErrorNotice error={startError} title={t('Couldn’t start the verification')} />}
      {/* The list waits for the content above, which would otherwise push it down. */}
      <Parts queries={[asked, verifications]} isLoading={asked.isPending} loading={<LateSkeleton />}>
        <Stack gap="xl">
          {error !== null && (
            <ErrorNotice error={error} title={t('Couldn’t load the ledger')} onRetry={() => void refetch()} />
          )}
          {data !== undefined && (
            <>
              <Health
                ledger={data}
                underWay={underWay?.status}
                discrepancyFoundAt={discrepancyAt(verifications.data?.rows[0])}
              />
              <ZeroSumTable zeroSums={data.zeroSums} at={data.at} />
            </>
          )}
          {!isUnused && (
            <Stack gap="xs">
              <Title order={2} size="h4">
                {t('Verifications')}
              </Title>
              <Text size="sm" c="dimmed">
                {isNeverVerified
                  ? t(
                      'A verification checks balances against transactions. The first one checks all of them. Later ones can check only recent changes.',
                    )
                  : t(
                      'A verification checks balances against transactions: only recent changes, or all of them.',
                    )}
              </Text>
              <Verifications page={verifications} />
            </Stack>
          )}
        </Stack>
      </Parts>
    </ScreenPage>
  );
}

const isUnderWay = ({ status }: { status: string }): boolean => status === 'Waiting' || status === 'Running';

type Last = { status: string; endedAt: string | null } | undefined;
const discrepancyAt = (last: Last): string | null => (last?.status === 'NotExplained' ? last.endedAt : null);

function Health({
  ledger: { zeroSums, unposted, proven },
  underWay,
  discrepancyFoundAt,
}: {
  ledger: LedgerState;
  /** Status of a verification that hasn't ended. */
  underWay: LedgerVerification['status'] | undefined;
  discrepancyFoundAt: string | null;
}) {
  const isZero = zeroSums.every(({ differenceMinor }) => differenceMinor === '0');
  return (
    <Stack>
      {!isZero && (
        <Alert color="red" role="alert" title={t('The ledger doesn’t balance')}>
          {t('Run a verification. It finds the first transaction or total that doesn’t match.')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Stack gap={4} align="flex-start">
          <Text size="sm" c="dimmed">
            {t('Totals')}
          </Text>
          <StatusBadge tone={isZero ? 'good' : 'bad'}>
            {isZero ? t('Balanced') : t('Not balanced')}
          </StatusBadge>
        </Stack>
        <Stack gap={4} align="flex-start">
          <Text size="sm" c="dimmed">
            {t('Last verification')}
          </Text>
          {proven === null && discrepancyFoundAt === null && underWay !== undefined ? (
            <VerificationStatus status={underWay} />
          ) : proven === null && zeroSums.length === 0 ? (
            <StatusBadge tone="neutral">{t('Nothing to verify yet')}</StatusBadge>
          ) : (
            <LastVerification proven={proven} discrepancyFoundAt={discrepancyFoundAt} />
          )}
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

function LastVerification({
  proven,
  discrepancyFoundAt,
}: {
  proven: LedgerState['proven'];
  discrepancyFoundAt: string | null;
}) {
  if (discrepancyFoundAt !== null)
    return (
      <>
        <StatusBadge tone="bad">{t('Discrepancy found')}</StatusBadge>
        <Text size="sm">
          <When at={discrepancyFoundAt} />
        </Text>
      </>
    );
  if (proven === null) return <StatusBadge tone="waiting">{t('Never verified')}</StatusBadge>;
  return (
    <>
      <StatusBadge tone="good">{t('Passed')}</StatusBadge>
      <Text size="sm">
        <When at={proven.lastAt} />
        {proven.allAt !== proven.lastAt && (
          <>
            {'; '}
            {t('all balances')} <When at={proven.allAt} />
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
      <StatusBadge tone="running">{`${formatCount(rowCount)}${isAtLeast ? '+' : ''}`}</StatusBadge>
      <Text size="sm">
        {t('Oldest recorded')} <When at={oldestAt} precision="second" />
      </Text>
    </>
  );
}
