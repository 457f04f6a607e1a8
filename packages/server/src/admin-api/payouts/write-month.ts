import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '../../platform/csv.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import type { Month } from '../../settlement/payouts/read/read-month.ts';

const columns = ['month', 'group', 'kind', 'currency', 'amount', 'amountMinor', 'count', 'payout', 'paidAt'];

/**
 * Writes a month as CSV: earnings, reversals and bounty rewards of each group and currency, and each paid payout.
 * Reversals and payouts are negative, so that the lines of a currency add up.
 */
export const writeMonth = (
  month: string,
  { sums, payouts, from, until }: Month,
  output: Writable,
): Promise<void> =>
  pipeline(Readable.from(lines(month, { sums, payouts, from, until })), output, { end: false });

type Line = [
  kind: string,
  groupId: string,
  currency: string,
  amountMinor: bigint,
  count: number,
  ...string[],
];

function* lines(month: string, { sums, payouts, from, until }: Omit<Month, 'areMore'>) {
  const write = ([kind, groupId, currency, amountMinor, count, payout = '', paidAt = '']: Line): string =>
    csvLine([
      { text: month },
      { exactId: groupId },
      { text: kind },
      { text: currency },
      { figure: formatMinorUnits(amountMinor, currency) },
      { figure: String(amountMinor) },
      { figure: String(count) },
      { exactId: payout },
      { text: paidAt },
    ]);
  yield csvLine(columns.map((text) => ({ text })));
  for (const { groupId, currency, ...sum } of sums) {
    yield write(['earned', groupId, currency, sum.earnedMinor, sum.earnedCount]);
    yield write(['reversed', groupId, currency, -sum.reversedMinor, sum.reversedCount]);
    yield write(['bounties', groupId, currency, sum.bountiesMinor, sum.bountiesCount]);
  }
  for (const { groupId, currency, totalMinor, memberCount, batchId, paidAt } of payouts)
    if (paidAt !== null && paidAt >= from && paidAt < until)
      yield write(['paid', groupId, currency, -totalMinor, memberCount, batchId, paidAt.toISOString()]);
}
