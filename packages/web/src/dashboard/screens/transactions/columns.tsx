import { Text } from '@mantine/core';
import type { TransactionRow } from '../../../client/types.gen.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { ReducedMoney } from '../../../ui/money.tsx';
import { Percent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { RowStatus } from './row-state.tsx';

export const columns = (): readonly Column<TransactionRow>[] => [
  {
    id: 'date',
    header: t('Purchased'),
    cell: ({ transactionDate }) => <When at={transactionDate} />,
    isUnderName: 'first',
  },
  { id: 'id', header: t('Transaction'), cell: ({ transactionId }) => transactionId, isUnderName: true },
  {
    id: 'creator',
    header: t('Creator'),
    cell: ({ creator, code }) => (
      <>
        <Text size="sm" span>
          {creator.name}
        </Text>{' '}
        <Text size="sm" c="dimmed" span>
          {code}
        </Text>
      </>
    ),
  },
  {
    id: 'status',
    header: t('Status'),
    cell: (row) => <RowStatus row={row} />,
    isUnderAmount: true,
  },
  {
    id: 'subtotal',
    header: t('Sale'),
    cell: ({ subtotalMinor, refundedMinor, currency }) => (
      <ReducedMoney minor={subtotalMinor} takenMinor={refundedMinor} currency={currency} />
    ),
    align: 'end',
    hiddenBelow: 'md',
  },
  {
    id: 'percent',
    header: t('Share'),
    cell: ({ sharePercent }) => <Percent value={sharePercent} />,
    align: 'end',
    hiddenBelow: 'lg',
  },
  { id: 'share', header: t('Earned'), cell: (row) => <Share row={row} />, align: 'end' },
];

/** Share of a row, or "Posting…" while it is unposted. */
export function Share({ row }: { row: TransactionRow }) {
  if (row.shareMinor === null && row.status !== 'Test')
    return (
      <Text size="sm" c="dimmed" span>
        {t('Posting…')}
      </Text>
    );
  return <ReducedMoney minor={row.shareMinor} takenMinor={row.reversedShareMinor} currency={row.currency} />;
}
