import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import { newRowId } from '../platform/ids.ts';

/** A reason for which a purchase's money goes back. */
export type Reversal = 'Refund' | 'Fraud' | 'Chargeback';

/**
 * Locks a row's payment, and reverses it when asked to: appends a refund record, of which only the first
 * reverses money, and flags fraud.
 * @param reversal null only looks whether the payment is still open
 * @returns false, having changed nothing, when the payment was already paid out
 */
export async function reversePayment(
  tx: Tx,
  publisherId: string,
  attributionId: string,
  reversal: Reversal | null,
): Promise<boolean> {
  if (reversal !== null) {
    await tx
      .insertInto('payment')
      .values({ publisher_id: publisherId, attribution_id: attributionId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const payment = await tx
    .selectFrom('payment')
    .select(['payout_batch_id', 'payout_payment_id'])
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', '=', attributionId)
    .forUpdate()
    .executeTakeFirst();
  if (payment !== undefined && (payment.payout_batch_id !== null || payment.payout_payment_id !== null))
    return false;
  if (reversal === null) return true;

  await sql`
    insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
    select ${publisherId}, ${newRowId()}::uuid, ${attributionId}::uuid, ${reversal},
           not exists (
             select from refund_record
             where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid and reverses_money
           )`.execute(tx);
  if (reversal === 'Fraud') {
    await tx
      .updateTable('payment')
      .set({ is_fraud: true })
      .where('publisher_id', '=', publisherId)
      .where('attribution_id', '=', attributionId)
      .execute();
  }
  return true;
}
