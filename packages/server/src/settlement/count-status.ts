import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../attributions/posted.ts';
import type { TransactionStatus } from '../attributions/transaction-schema.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';

export interface StatusChange {
  publisherId: string;
  attributionId: AttributionId;
  from: TransactionStatus;
  to: TransactionStatus;
}

/** Column that counts each status. Normal doesn't need one: its count is the total minus the others. */
const counts = {
  Test: 'test_count',
  Refund: 'refund_count',
  Fraud: 'fraud_count',
  Chargeback: 'chargeback_count',
} as const;

/**
 * Moves a posted row to its new status in the daily counts by member and the hourly counts. An unposted row is counted
 * with its current status once it is posted. The caller must have locked the row's member.
 */
export async function countStatus(
  tx: Tx,
  { publisherId, attributionId, from, to }: StatusChange,
): Promise<void> {
  const moved = (counted: string): RawBuilder<unknown> =>
    sql.join([
      ...(from === 'Normal'
        ? []
        : [sql`${sql.ref(counts[from])} = ${sql.ref(`${counted}.${counts[from]}`)} - 1`]),
      ...(to === 'Normal' ? [] : [sql`${sql.ref(counts[to])} = ${sql.ref(`${counted}.${counts[to]}`)} + 1`]),
    ]);
  await sql`
    with a as materialized (
      -- Computed here because Citus rejects functions that depend on the session's time zone in the join of an update.
      select a.group_id, a.membership_id, a.code, a.currency,
             (a.transaction_date at time zone 'UTC')::date as day,
             date_trunc('hour', a.transaction_date, 'UTC') as hour
      from attribution a
      where a.publisher_id = ${publisherId} and a.attribution_id = ${attributionId}::uuid and ${isPosted(publisherId, 'a')}
    ),
    of_member as (
      update earning_rollup e
      set ${moved('e')}
      from a
      where e.publisher_id = ${publisherId} and e.membership_id = a.membership_id
        and e.day = a.day and e.code = a.code and e.currency = a.currency
      returning 1
    )
    update transaction_count t
    set ${moved('t')}
    from a
    where t.publisher_id = ${publisherId} and t.group_id = a.group_id
      and t.hour = a.hour
      and (select count(*) from of_member) >= 0 -- runs after of_member, in the order of posting`.execute(tx);
}
