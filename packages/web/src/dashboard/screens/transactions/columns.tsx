import { Text } from '@mantine/core';
import type { TransactionRow } from '../../../client/types.gen.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { ReducedMoney } from '../../../ui/money.tsx';
import { NameWithCode } from '../../../ui/name-with-code.tsx';
import { Percent } from '../../../ui/percent.tsx';
import { ShortId } from '../../../ui/short-id.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { When } from '../../../ui/when.tsx';
import { isPlain, ListedStatus } from './row-state.tsx';

export const columns = (): readonly Column<TransactionRow>[] => [
  {
    id: 'date',
    header: t('Date'),
    tone: 'quiet',
    noWrap: true,
    cell: ({ transactionDate }) => <When at={transactionDate} />,
    isUnderName: 'first',
  },
  {
    id: 'id',
    header: t('Purchase'),
    tone: 'quiet',
    noWrap: true,
    cell: ({ transactionId }) => <ShortId id={transactionId} />,
    isUnderName: true,
  },
  {
    id: 'creator',
    header: t('Creator'),
    tone: 'strong',
    isCut: 'rest',
    cell: ({ creator, code }) => (
      <NameWithCode name={creator.name}>
        <Text size="sm" c="dimmed" fw={400} span>
          {code}
        </Text>
      </NameWithCode>
    ),
  },
  {
    id: 'status',
    header: t('Status'),
    noWrap: true,
    isBlank: isPlain,
    isExpected: true,
    cell: (row) => <ListedStatus row={row} />,
    isUnderName: 'first',
  },
  {
    id: 'subtotal',
    header: t('Sale'),
    cell: (row) => <Sale row={row} />,
    align: 'end',
    noWrap: true,
    isUnderAmount: true,
  },
  {
    id: 'percent',
    header: t('Share'),
    tone: 'quiet',
    cell: ({ sharePercent }) => <Percent value={sharePercent} />,
    align: 'end',
    // Sale and Earned come first where there is no room for all three.
    hiddenBelow: 'md',
  },
  {
    id: 'share',
    header: t('Earned'),
    tone: 'strong',
    noWrap: true,
    cell: (row) => <Share row={row} />,
    align: 'end',
  },
];

/** Purchase's subtotal. Below the share, on a phone, it says what it is. */
function Sale({ row: { subtotalMinor, refundedMinor, currency } }: { row: TransactionRow }) {
  const isNarrow = useNarrow();
  const amount = <ReducedMoney minor={subtotalMinor} takenMinor={refundedMinor} currency={currency} />;
  return isNarrow ? (
    <>
      {t('Sale')} {amount}
    </>
  ) : (
    amount
  );
}

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
