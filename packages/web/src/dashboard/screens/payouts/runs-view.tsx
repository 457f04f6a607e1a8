import { Suspense } from 'react';
import { listPayRunsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { PayRun } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { BeforeMoney } from '../../first-steps/lazy-before-money.ts';
import { usePublisher } from '../../session/session.ts';
import { PartsPage } from './parts-page.tsx';
import { PayoutLink } from './payout-link.tsx';

/** Pay runs, newest first. */
export function RunsView() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const page = usePage({
    ...listPayRunsOptions({ path: { publisherId }, query: { cursor: query.cursor, limit: limitOf(query) } }),
    refetchInterval: ({ state }) => (state.data?.rows.some(({ isDone }) => !isDone) ? 1_000 : false),
  });
  return (
    <PartsPage here="runs" about={t('Payouts for several groups and currencies, created together.')}>
      <DataTable
        label={t('Pay runs')}
        columns={runColumns()}
        page={page}
        rowKey={({ payRunId }) => payRunId}
        isLinked
        empty={
          <Suspense>
            <BeforeMoney icon="payouts" title={t('No pay runs yet')}>
              <PayoutLink to="">{t('View amounts due now')}</PayoutLink>
            </BeforeMoney>
          </Suspense>
        }
      />
    </PartsPage>
  );
}

const runColumns = (): Column<PayRun>[] => [
  {
    id: 'started',
    header: t('Started'),
    cell: ({ payRunId, startedAt }) => (
      <PayoutLink to={`runs/${payRunId}`}>
        <When at={startedAt} />
      </PayoutLink>
    ),
  },
  { id: 'status', header: t('Status'), isUnderName: true, cell: (run) => <RunStatus run={run} /> },
  {
    id: 'payouts',
    header: t('Payouts'),
    align: 'end',
    cell: ({ counts: { waiting, failed, toPay, paid, canceled } }) =>
      formatCount(waiting + failed + toPay + paid + canceled),
  },
  {
    id: 'paid',
    header: t('Paid'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'sm',
    cell: ({ counts: { paid } }) => formatCount(paid),
  },
  {
    id: 'failed',
    header: t('Not created'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'sm',
    cell: ({ counts: { failed } }) => formatCount(failed),
  },
  {
    id: 'by',
    header: t('Started by'),
    tone: 'quiet',
    hiddenBelow: 'md',
    cell: ({ startedBy }) => startedBy.name,
  },
];

function RunStatus({ run: { isDone, counts } }: { run: PayRun }) {
  if (!isDone) return <StatusBadge tone="running">{t('Creating payouts')}</StatusBadge>;
  if (counts.toPay > 0) return <StatusBadge tone="waiting">{t('To be paid')}</StatusBadge>;
  if (counts.paid > 0) return <StatusBadge tone="good">{t('Paid')}</StatusBadge>;
  return counts.canceled > 0 ? (
    <StatusBadge tone="over">{t('Canceled')}</StatusBadge>
  ) : (
    <StatusBadge tone="bad">{t('Not created')}</StatusBadge>
  );
}
