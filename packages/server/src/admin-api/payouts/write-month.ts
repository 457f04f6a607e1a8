import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { formatMinorUnits } from '../../platform/money.ts';
import type { Month } from '../../settlement/payouts/read/read-month.ts';

const columns = ['month', 'group', 'kind', 'currency', 'amount', 'amountMinor', 'count', 'payout', 'paidAt'];
/** Columns that contain ids. Ids are quoted, so that spreadsheets can be set to read them as text. */
const idColumns: ReadonlySet<number> = new Set([columns.indexOf('group'), columns.indexOf('payout')]);

/**
 * Writes a month as CSV: earnings, reversals and bounty rewards of each group and currency, and each paid payout.
 * Reversals and payouts are negative, so that the lines of a currency add up.
 */
export const writeMonth = (
  month: string,
  { sums, payouts, from, until }: Month,
  output: Writable,
): Promise<void> =>
  pipeline(
    Readable.from(lines(month, { sums, payouts, from, until })),
    stringify({
      header: true,
      columns,
      record_delimiter: 'windows',
      cast: {
        string: (value, { index, header }) => ({
          value,
          quoted: idColumns.has(index) && !header && value !== '',
        }),
      },
    }),
    output,
    { end: false },
  );

type Line = [
  kind: string,
  groupId: string,
  currency: string,
  amountMinor: bigint,
  count: number,
  ...string[],
];

function* lines(month: string, { sums, payouts, from, until }: Omit<Month, 'areMore'>) {
  const write = ([kind, groupId, currency, amountMinor, count, payout = '', paidAt = '']: Line): string[] => [
    month,
    groupId,
    kind,
    currency,
    formatMinorUnits(amountMinor, currency),
    String(amountMinor),
    String(count),
    payout,
    paidAt,
  ];
  for (const { groupId, currency, ...sum } of sums) {
    yield write(['earned', groupId, currency, sum.earnedMinor, sum.earnedCount]);
    yield write(['reversed', groupId, currency, -sum.reversedMinor, sum.reversedCount]);
    yield write(['bounties', groupId, currency, sum.bountiesMinor, sum.bountiesCount]);
  }
  for (const { groupId, currency, totalMinor, memberCount, batchId, paidAt } of payouts)
    if (paidAt !== null && paidAt >= from && paidAt < until)
      yield write(['paid', groupId, currency, -totalMinor, memberCount, batchId, paidAt.toISOString()]);
}
