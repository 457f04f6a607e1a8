import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { aheadMsAt, laterBy } from '../../publishers/publisher-time.ts';
import { readByKey } from '../payouts/month/read-by-key.ts';
import { type LineResult, paymentOf, resultOf } from '../payouts/results/result.ts';
import type { ClosingMonth } from './next-month.ts';
import type { Movements } from './read-movements.ts';
import type { StatementPayout } from './statement.ts';

/**
 * Reads a member's payouts of a month, oldest first: those whose amounts the ledger booked in it, and earlier ones that were
 * paid in it. States are those at the end of the month.
 */
export async function readStatementPayouts(
  db: Db,
  { publisherId, from, until, entriesFrom, entriesBefore }: ClosingMonth,
  { membershipIds, currency }: Pick<Movements, 'membershipIds' | 'currency'>,
): Promise<StatementPayout[]> {
  const rows = await readByKey(
    db,
    sql<{
      number: bigint;
      reference: string;
      created_at: Date;
      ahead_ms: bigint;
      amount: string;
      to_payout: string;
      from_payout: string;
      is_cancelled: boolean;
      result: LineResult | null;
      paid_at: Date | null;
    }>`
    select line.*
    from (
      select b.number, i.reference, b.created_at, ${aheadMsAt(publisherId, sql`b.as_of`)} as ahead_ms,
             i.amount_minor::text as amount,
             booked.to_payout::text as to_payout, booked.from_payout::text as from_payout,
             b.cancelled_at is not null and b.cancelled_at < ${entriesBefore} as is_cancelled,
             ${resultOf(publisherId, 'i', {
               status: sql`case when b.paid_at < ${until} then 'Paid' end`,
               before: until,
             })} as result,
             payment.paid_at
      from payout_item i
      join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
      cross join lateral (${paymentOf(publisherId, { item: 'i', batch: 'b', before: until })}) payment
      cross join lateral (
        select case when b.was_undone then least(coalesce(sum(e.amount_minor), 0), 0)
                    else coalesce(sum(e.amount_minor) filter (where e.kind = 'payout'), 0) end as to_payout,
               case when b.was_undone then greatest(coalesce(sum(e.amount_minor), 0), 0)
                    else coalesce(sum(e.amount_minor) filter (where e.kind = 'payout-return'), 0) end as from_payout
        from ledger_entry e
        where e.publisher_id = ${publisherId} and e.membership_id = i.membership_id and e.currency = b.currency
          and e.subject_id = i.item_id and e.kind in ('payout', 'payout-return')
          and e.created_at >= ${entriesFrom} and e.created_at < ${entriesBefore}
      ) booked
      where i.publisher_id = ${publisherId} and i.membership_id = any(${[...membershipIds]}::uuid[])
        and b.currency = ${currency} and b.created_at < ${entriesBefore}
        and (booked.to_payout <> 0 or booked.from_payout <> 0
             or payment.paid_at >= ${from})
    ) line
    order by number, reference`,
  );
  return rows.map((row) => ({
    number: Number(row.number),
    reference: row.reference,
    createdAt: laterBy(row.created_at, Number(row.ahead_ms)),
    amountMinor: BigInt(row.amount),
    toPayoutMinor: BigInt(row.to_payout),
    fromPayoutMinor: BigInt(row.from_payout),
    state: row.is_cancelled ? 'Cancelled' : (row.result ?? 'Created'),
    paidAt: row.paid_at,
  }));
}
