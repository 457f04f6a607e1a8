import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { isRowId, newRowId } from '../platform/ids.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { lockMembership, type Reversal, returnMoney, type UncountRow } from './reverse-payment.ts';
import { lockForSettling, settlingTime } from './settlement-lock.ts';

/** Sets a row's status; attributions, who own the rows, do it. */
export type SetStatus = (
  tx: Tx,
  publisherId: string,
  attributionId: string,
  status: Reversal,
) => Promise<void>;

/**
 * Takes back the money of a row already paid: the member's next payout is that much smaller, or waits. It is
 * the payment's one reversal of money.
 * @throws OperatorError when there is no such row, or it is not paid, or its money went back before
 */
export function clawBack(
  db: Db,
  setStatus: SetStatus,
  uncountRow: UncountRow,
  publisherId: string,
  attributionId: string,
  status: Reversal,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (!isRowId(attributionId)) throw notPaid(attributionId);
    await lockForSettling(tx, publisherId); // an asOf named before this cannot see it later
    await lockMembership(tx, publisherId, attributionId);
    const payment = await tx
      .selectFrom('payment')
      .select(['paid_at', 'reversed_at'])
      .where('publisher_id', '=', publisherId)
      .where('attribution_id', '=', attributionId)
      .forUpdate()
      .executeTakeFirst();
    if (payment === undefined || payment.paid_at === null) throw notPaid(attributionId);
    if (payment.reversed_at !== null)
      throw new OperatorError(`The money of the row ${attributionId} went back before.`);
    await tx
      .insertInto('refund_record')
      .values({
        publisher_id: publisherId,
        refund_id: newRowId(),
        attribution_id: attributionId,
        action: status,
        reverses_money: true,
      })
      .execute();
    await sql`
      update payment
      set reversed_at = clock_timestamp(), is_fraud = is_fraud or ${status === 'Fraud'}
      where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid`.execute(tx);
    await sql`
      insert into clawback (publisher_id, attribution_id, group_id, membership_id, currency, amount_minor, created_at)
      select publisher_id, attribution_id, group_id, membership_id, currency, share_minor, ${settlingTime}
      from payment
      where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid`.execute(tx);
    await returnMoney(tx, publisherId, attributionId, 'adjustment');
    await uncountRow(tx, publisherId, attributionId);
    await setStatus(tx, publisherId, attributionId, status);
  });
}

const notPaid = (attributionId: string): OperatorError =>
  new OperatorError(
    `The row ${attributionId} is not paid; change its status instead (PATCH), or cancel its payout.`,
  );
