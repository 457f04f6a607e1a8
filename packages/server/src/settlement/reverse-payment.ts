import { sql } from 'kysely';
import { lockMembers } from '../members/lock-members.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import { posting } from './ledger.ts';
import { lockForReversing, settlingTime } from './settlement-lock.ts';

/** A reason for which a purchase's money goes back. */
export type Reversal = 'Refund' | 'Fraud' | 'Chargeback';

/** Stops counting a row whose money goes back, for bounties, which come later than settlement. */
export type UncountRow = (tx: Tx, publisherId: string, attributionId: AttributionId) => Promise<void>;

/** A row whose money goes back; null only looks whether the payment is still open. */
export interface RowReversal {
  publisherId: string;
  attributionId: AttributionId;
  reversal: Reversal | null;
}

/**
 * Locks a row's payment, and reverses it when asked to: appends a refund record, of which only the first
 * reverses money, and flags fraud. A row not settled yet is marked, and its money goes back when it settles.
 * The audit log is told by who asks for it, for whom it is a change of the row.
 * @returns false, having changed nothing, when the payment was already paid out
 */
export async function reversePayment(
  { uncountRow }: { uncountRow: UncountRow },
  tx: Tx,
  { publisherId, attributionId, reversal }: RowReversal,
): Promise<boolean> {
  if (reversal !== null) await lockForReversing(tx, publisherId); // of before a payout's moment, or of after it
  await lockMembership(tx, publisherId, attributionId);
  if (reversal !== null) {
    await tx
      .insertInto('payment')
      .values({ publisher_id: publisherId, attribution_id: attributionId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const payment = await tx
    .selectFrom('payment')
    .select(['payout_batch_id', 'payout_payment_id', 'reversed_at', 'settled_at'])
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
  await sql`
    update payment
    set reversed_at = coalesce(reversed_at, ${settlingTime}), is_fraud = is_fraud or ${reversal === 'Fraud'}
    where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid`.execute(tx);
  if (isFirst && payment.settled_at !== null) {
    await returnMoney(tx, publisherId, attributionId, 'refund');
    await uncountRow(tx, publisherId, attributionId);
  }
  return true;
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

/** Takes a settled payment's amount from the member: ledger, balance, rollup. */
export async function returnMoney(
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  kind: 'refund' | 'adjustment',
): Promise<void> {
  await sql`
    with returned as (
      select attribution_id as subject_id, ${kind}::text as kind, membership_id, currency, -share_minor as amount_minor
      from payment
      where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid and settled_at is not null
    ),
    ${posting(publisherId, 'returned')}
    update earning_rollup e
    set reversed_count = e.reversed_count + 1,
        reversed_gross_minor = e.reversed_gross_minor + a.subtotal_minor,
        reversed_share_minor = e.reversed_share_minor - r.amount_minor
    from returned r
    cross join attribution a
    where a.publisher_id = ${publisherId} and a.attribution_id = ${attributionId}::uuid
      and e.publisher_id = ${publisherId} and e.group_id = a.group_id
      and e.day = (a.transaction_date at time zone 'UTC')::date
      and e.membership_id = r.membership_id and e.code = a.code and e.currency = r.currency`.execute(tx);
}
