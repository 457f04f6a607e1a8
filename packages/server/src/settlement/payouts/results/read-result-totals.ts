import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { PayoutBatch } from '../read/read-payouts.ts';
import { type LineResult, lineResults } from './result.ts';

/** Lines of a payout that have the same result; null for lines whose result is not known yet. */
export interface ResultTotal {
  result: LineResult | null;
  count: number;
  amountMinor: bigint;
}

/**
 * Reads the number of a payout's lines and their sum by result. Only lines with a result of their own are read; the
 * others make up the rest of the payout's total.
 */
export async function readResultTotals(
  db: Db,
  publisherId: string,
  { batchId, status, memberCount, totalMinor }: PayoutBatch,
): Promise<ResultTotal[]> {
  const { rows } = await sql<{ result: LineResult; n: bigint; amount: string }>`
    select s.result, count(*) as n, sum(i.amount_minor)::text as amount
    from (
      select distinct on (item_id) item_id, result
      from payout_result
      where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid
      order by item_id, case result when 'Sent' then 1 when 'Paid' then 2 else 3 end desc
    ) s
    join payout_item i on i.publisher_id = ${publisherId} and i.item_id = s.item_id
    group by s.result`.execute(db);
  const totals = new Map<LineResult | null, { count: number; amountMinor: bigint }>();
  const add = (result: LineResult | null, count: number, amountMinor: bigint): void => {
    const before = totals.get(result) ?? { count: 0, amountMinor: 0n };
    totals.set(result, { count: before.count + count, amountMinor: before.amountMinor + amountMinor });
  };
  for (const { result, n, amount } of rows) add(result, Number(n), BigInt(amount));
  const known = [...totals.values()];
  add(
    status === 'Paid' ? 'Paid' : null,
    known.reduce((left, { count }) => left - count, memberCount),
    known.reduce((left, { amountMinor }) => left - amountMinor, totalMinor),
  );
  return [null, ...lineResults].flatMap((result) => {
    const total = totals.get(result);
    return total === undefined || total.count === 0 ? [] : [{ result, ...total }];
  });
}
