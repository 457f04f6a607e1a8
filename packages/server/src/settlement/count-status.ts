import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../attributions/posted.ts';
import type { TransactionStatus } from '../attributions/transaction-schema.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';

/** A row whose status has become another one. */
export interface StatusChange {
  publisherId: string;
  attributionId: AttributionId;
  from: TransactionStatus;
  to: TransactionStatus;
}

/** Counts kept of each status; Normal is what is left of all. */
const counts = {
  Test: 'test_count',
  Refund: 'refund_count',
  Fraud: 'fraud_count',
  Chargeback: 'chargeback_count',
} as const;

/**
 * Has a posted row counted by its new status, for its member and its hour; one that is not posted yet is counted by the
 * status that it has then. The caller holds the row's member.
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
      -- Computed here: Citus takes no function of a column in an update's join that depends on the session's zone.
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
      and (select count(*) from of_member) >= 0 -- after that, as posting does`.execute(tx);
}
