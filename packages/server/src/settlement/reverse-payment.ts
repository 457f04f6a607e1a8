import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../attributions/posted.ts';
import { lockMembers } from '../members/lock-members.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import { posting } from './ledger.ts';
import { lockForReversing } from './settlement-lock.ts';

/** A reason for which a purchase's money goes back. */
export type Reversal = 'Refund' | 'Fraud' | 'Chargeback';

/** Stops counting a row whose money goes back, for bounties, which come later than settlement. */
export type UncountRow = (tx: Tx, publisherId: string, attributionId: AttributionId) => Promise<void>;

/** A row whose money goes back; null only looks whether the payment is still open. */
export interface RowReversal {
  publisherId: string;
  attributionId: AttributionId;
  /** A row created as Test has no payment, and gets none by being reversed; its member is locked all the same. */
  isTest: boolean;
  reversal: Reversal | null;
}

/**
 * Locks a row's member and payment, and reverses the payment when asked to: appends a refund record, of which only the
 * first reverses money, and flags fraud. A row not posted yet is marked, and its money goes back when it is posted.
 * The audit log is told by who asks for it, for whom it is a change of the row.
 * @returns false, having changed nothing, when the payment was already paid out
 */
export async function reversePayment(
  { uncountRow }: { uncountRow: UncountRow },
  tx: Tx,
  { publisherId, attributionId, isTest, reversal }: RowReversal,
): Promise<boolean> {
  if (reversal !== null && !isTest) await lockForReversing(tx, publisherId); // of before a payout's moment, or of after it
  await lockMembership(tx, publisherId, attributionId);
  if (isTest) return true;
  if (reversal !== null) await storePayment(tx, publisherId, attributionId);
  const payment = await tx
    .selectFrom('payment')
    .select(['payout_batch_id', 'payout_payment_id', 'reversed_at'])
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', '=', attributionId)
    .forUpdate()
    .executeTakeFirst();
  if (payment !== undefined && (payment.payout_batch_id !== null || payment.payout_payment_id !== null))
    return false;
  if (reversal === null || payment === undefined) return true;

  const isFirst = payment.reversed_at === null;
  await tx
    .insertInto('refund_record')
    .values({
      publisher_id: publisherId,
      refund_id: newRowId(),
      attribution_id: attributionId,
      action: reversal,
      reverses_money: isFirst,
    })
    .execute();
  const reversedAt = await readMoment(tx);
  await sql`
    update payment
    set reversed_at = coalesce(reversed_at, ${reversedAt}), is_fraud = is_fraud or ${reversal === 'Fraud'}
    where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid`.execute(tx);
  if (isFirst && (await isRowPosted(tx, publisherId, attributionId))) {
    await returnMoney(tx, publisherId, attributionId, 'refund');
    await uncountRow(tx, publisherId, attributionId);
  }
  return true;
}

/** Something happens to a row's payment: from now on it is stored. */
async function storePayment(tx: Tx, publisherId: string, attributionId: AttributionId): Promise<void> {
  await sql`
    insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor)
    select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor
    from attribution
    where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid
    on conflict (publisher_id, attribution_id) do nothing`.execute(tx);
}

/** Memberships are locked before payments, everywhere, so that nobody waits in a circle. */
export const lockMembership = (tx: Tx, publisherId: string, attributionId: AttributionId): Promise<void> =>
  lockMembers(
    tx,
    publisherId,
    sql`
      select membership_id
      from attribution
      where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid`,
  );

/** Whoever holds the row's member keeps it so: posting locks the member too. */
async function isRowPosted(tx: Tx, publisherId: string, attributionId: AttributionId): Promise<boolean> {
  const { rows } = await sql<{ posted: boolean }>`
    select ${isPosted(publisherId, 'a')} as posted
    from attribution a
    where a.publisher_id = ${publisherId} and a.attribution_id = ${attributionId}::uuid`.execute(tx);
  return rows[0]?.posted === true;
}

/** Takes a posted row's amount from the member: ledger, balance, rollups. */
export async function returnMoney(
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  kind: 'refund' | 'adjustment',
): Promise<void> {
  await sql`
    with returned as materialized (
      select attribution_id as subject_id, ${kind}::text as kind, group_id, membership_id, code, currency, subtotal_minor,
             -share_minor as amount_minor, (transaction_date at time zone 'UTC')::date as day
      from attribution
      where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid
    ),
    ${posting(publisherId, 'returned')},
    of_member as (
      update earning_rollup e
      set ${lessened('e')}
      from returned r
      where e.publisher_id = ${publisherId} and e.membership_id = r.membership_id and e.day = r.day and e.code = r.code
        and e.currency = r.currency
      returning 1
    )
    update group_rollup g
    set ${lessened('g')}
    from returned r
    where g.publisher_id = ${publisherId} and g.group_id = r.group_id and g.day = r.day and g.currency = r.currency
      and (select count(*) from of_member) >= 0 -- after that, as posting does`.execute(tx);
}

const lessened = (rollup: string): RawBuilder<unknown> => sql`
  reversed_count = ${sql.ref(`${rollup}.reversed_count`)} + 1,
  reversed_gross_minor = ${sql.ref(`${rollup}.reversed_gross_minor`)} + r.subtotal_minor,
  reversed_share_minor = ${sql.ref(`${rollup}.reversed_share_minor`)} - r.amount_minor`;
