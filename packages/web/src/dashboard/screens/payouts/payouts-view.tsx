import { NativeSelect, Stack } from '@mantine/core';
import { listPayoutsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Payout } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Money } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { GroupName } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { PartsPage } from './parts-page.tsx';
import { PayoutLink } from './payout-link.tsx';
import { isUnderWay, PayoutStatus, payoutWord } from './payout-status.tsx';

const statuses = ['Created', 'Paid', 'Cancelled', 'Preparing', 'Cancelling'] as const;

export function PayoutsView() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const page = usePage({
    ...listPayoutsOptions({
      path: { publisherId },
      query: {
        group: query.group,
        status: statuses.find((each) => each === query.status),
        cursor: query.cursor,
        limit: limitOf(query),
      },
    }),
    refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? 1_000 : false),
  });
  return (
    <PartsPage here="made">
      <Stack>
        <NativeSelect
          w="fit-content"
          aria-label={t('Status')}
          data-filter
          value={query.status ?? ''}
          data={[
            { value: '', label: t('All payouts') },
            ...statuses.map((status) => ({ value: status, label: payoutWord(status) })),
          ]}
          onChange={({ currentTarget: { value } }) => setQuery({ status: value || null })}
        />
        <DataTable
          label={t('Payouts')}
          columns={payoutColumns()}
          page={page}
          rowKey={({ payoutId }) => payoutId}
          empty={
            <EmptyState icon="payouts" title={t('No payouts yet')}>
              <PayoutLink to="">{t('View amounts due now')}</PayoutLink>
            </EmptyState>
          }
        />
      </Stack>
    </PartsPage>
  );
}

export const payoutColumns = (): Column<Payout>[] => [
  {
    id: 'created',
    header: t('Created'),
    cell: ({ payoutId, createdAt, currency }) => (
      <PayoutLink to={payoutId}>
        <When at={createdAt} /> {currency}
      </PayoutLink>
    ),
  },
  {
    id: 'status',
    header: t('Status'),
    isUnderName: true,
    cell: ({ status }) => <PayoutStatus status={status} />,
  },
  {
    id: 'total',
    header: t('Total'),
    align: 'end',
    cell: ({ totalMinor, currency }) => <Money minor={totalMinor} currency={currency} />,
  },
  {
    id: 'members',
    header: t('Creators'),
    align: 'end',
    hiddenBelow: 'sm',
    cell: ({ memberCount }) => memberCount.toLocaleString(),
  },
  {
    id: 'rows',
    header: t('Purchases'),
    align: 'end',
    hiddenBelow: 'md',
    cell: ({ rowCount }) => rowCount.toLocaleString(),
  },
  {
    id: 'group',
    header: t('Group'),
    hiddenBelow: 'md',
    isUnderName: true,
    cell: ({ groupId }) => <GroupName groupId={groupId} />,
  },
  { id: 'by', header: t('Created by'), hiddenBelow: 'lg', cell: ({ createdBy }) => createdBy?.name ?? '–' },
  { id: 'paid', header: t('Paid'), hiddenBelow: 'sm', cell: ({ paidAt }) => <When at={paidAt} /> },
];
