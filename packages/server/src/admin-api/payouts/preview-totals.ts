import { Type } from 'typebox';
import type { PreviewRow } from '../../settlement/payouts/read/read-preview.ts';
import { minor, nullable, time } from '../schemas.ts';

const sum = Type.Object(
  { totalMinor: minor("Sum of the members' amounts."), memberCount: Type.Integer() },
  { title: 'PreviewSum', description: 'Number of members and the sum of their amounts.' },
);

export const previewTotals = Type.Object(
  {
    currency: Type.String(),
    due: sum,
    belowMinimum: sum,
    blocked: sum,
    repaying: sum,
    onHold: Type.Object(
      {
        totalMinor: minor('Sum of the amounts on hold.'),
        memberCount: Type.Integer(),
        rowCount: Type.Integer({ description: 'Number of rows on hold.' }),
      },
      { title: 'SumOnHold', description: 'Amounts that holds keep out of the payout, of all members.' },
    ),
    later: sum,
    rowCount: Type.Integer({
      description: 'Number of rows that belong to the members who are due a payment.',
    }),
  },
  { title: 'PreviewTotals', description: 'Totals in one currency. Currencies are never added together.' },
);

/** Schema of the day on which a previewed group's next payout is planned. */
export const plannedDay = nullable(
  time(
    'Day on which the next payout of the group is planned: its first instant in UTC. Null for a group without a payout calendar.',
  ),
);

/** Returns the totals of a preview by currency. Currencies are never added together. */
export const totalsOf = (rows: readonly PreviewRow[]) =>
  [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, inCurrency]) => {
    const inState = (wanted: PreviewRow['state']): PreviewRow[] =>
      inCurrency.filter(({ state }) => state === wanted);
    return {
      currency,
      due: sumOf(inState('due'), ({ amountMinor }) => amountMinor),
      belowMinimum: sumOf(inState('below-minimum'), ({ amountMinor }) => amountMinor),
      blocked: sumOf(inState('blocked'), ({ amountMinor }) => amountMinor),
      repaying: sumOf(inState('repaying'), ({ amountMinor }) => amountMinor),
      onHold: {
        ...sumOf(
          inCurrency.filter(({ onHold }) => onHold !== null),
          ({ onHold }) => onHold?.amountMinor ?? 0n,
        ),
        rowCount: inCurrency.reduce((count, { onHold }) => count + (onHold?.rowCount ?? 0), 0),
      },
      later: sumOf(
        inCurrency.filter(({ laterMinor }) => laterMinor !== 0n),
        ({ laterMinor }) => laterMinor,
      ),
      rowCount: inState('due').reduce((count, row) => count + row.rowCount, 0),
    };
  });

const sumOf = (rows: readonly PreviewRow[], amount: (row: PreviewRow) => bigint) => ({
  totalMinor: String(rows.reduce((total, row) => total + amount(row), 0n)),
  memberCount: rows.length,
});
