import { Type } from 'typebox';
import type { PreviewRow } from '../../settlement/payouts/read/read-preview.ts';
import type { LacksMethod } from '../../settlement/payouts/read/read-without-method.ts';
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
    smallestDueMinor: nullable(minor('Smallest amount due to a member; null if no member is due a payment.')),
    withoutMethodCount: Type.Integer({
      description:
        'Number of members who are due a payment but have no payout method that it can be paid with.',
    }),
    withoutMethodMinor: minor(
      'Sum of the payments due to these members, which is part of `due`. No payment file will contain it.',
    ),
    repayingLaterMinor: minor(
      'Amounts of the members in `repaying` that are not due yet or on hold. Together with `repaying`, they are the balances of these members.',
    ),
    repayingName: nullable(
      Type.String({
        description: 'Name of the only member in `repaying`. Null if there are none or several.',
      }),
    ),
  },
  { title: 'PreviewTotals', description: 'Totals in one currency. Currencies are never added together.' },
);

/** Schema of the number of creators without a method. One who is due payments in several currencies counts once. */
export const membersWithoutMethod = Type.Integer({
  description: 'Number of members who are due payments but have no payout method for at least one of them.',
});

export const countWithoutMethod = (rows: readonly PreviewRow[], lacksMethod: LacksMethod): number =>
  new Set(rows.filter(lacksMethod).map(({ memberId }) => memberId)).size;

/** Schema of the day on which a previewed group's next payout is planned. */
export const plannedDay = nullable(
  time(
    'Day on which the next payout of the group is planned: its first instant in UTC. Null for a group without a payout calendar.',
  ),
);

/** Returns the totals of a preview by currency. Currencies are never added together. */
export const totalsOf = (rows: readonly PreviewRow[], lacksMethod: LacksMethod) =>
  [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, inCurrency]) => {
    const inState = (wanted: PreviewRow['state']): PreviewRow[] =>
      inCurrency.filter(({ state }) => state === wanted);
    const withoutMethod = sumOf(inCurrency.filter(lacksMethod), ({ amountMinor }) => amountMinor);
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
      smallestDueMinor: smallestOf(inState('due')),
      withoutMethodCount: withoutMethod.memberCount,
      withoutMethodMinor: withoutMethod.totalMinor,
      repayingLaterMinor: String(
        inState('repaying').reduce(
          (sum, { laterMinor, onHold }) => sum + laterMinor + (onHold?.amountMinor ?? 0n),
          0n,
        ),
      ),
      repayingName: onlyOne(inState('repaying'))?.name ?? null,
    };
  });

const onlyOne = <Row>(rows: readonly Row[]): Row | null => (rows.length === 1 ? (rows[0] ?? null) : null);

const sumOf = (rows: readonly PreviewRow[], amount: (row: PreviewRow) => bigint) => ({
  totalMinor: String(rows.reduce((total, row) => total + amount(row), 0n)),
  memberCount: rows.length,
});

function smallestOf(rows: readonly PreviewRow[]): string | null {
  let smallest: bigint | null = null;
  for (const { amountMinor } of rows) if (smallest === null || amountMinor < smallest) smallest = amountMinor;
  return smallest === null ? null : String(smallest);
}
