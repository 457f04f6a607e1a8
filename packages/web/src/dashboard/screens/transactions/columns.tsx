import { Text } from '@mantine/core';
import type { TransactionRow } from '../../../client/types.gen.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { Percent } from '../../../ui/percent.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { statusName, toneOf } from './names.ts';

export const columns = (): readonly Column<TransactionRow>[] => [
  {
    id: 'date',
    header: t('Purchased'),
    cell: ({ transactionDate }) => <When at={transactionDate} />,
    isUnderName: true,
  },
  { id: 'id', header: t('Transaction'), cell: ({ transactionId }) => transactionId, isUnderName: 'first' },
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
    // Nearly all purchases are normal, so the others stand out.
    cell: ({ status }) =>
      status === 'Normal' ? (
        <Text span size="sm" c="dimmed">
          {statusName(status)}
        </Text>
      ) : (
        <StatusBadge tone={toneOf(status)}>{statusName(status)}</StatusBadge>
      ),
    isUnderAmount: true,
  },
  {
    id: 'subtotal',
    header: t('Subtotal'),
    cell: ({ subtotalMinor, currency }) => <Money minor={subtotalMinor} currency={currency} />,
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
  return <Money minor={row.shareMinor} currency={row.currency} />;
}
