import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { isRowId } from '../platform/ids.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { announcePayout } from './announce-payout.ts';
import { lockForSettling } from './settlement-lock.ts';

/**
 * Says that a batch's money has left: its rows become paid. Done twice it changes nothing.
 * @throws OperatorError when there is no such batch, or it was cancelled
 */
export function markPayoutPaid(db: Db, publisherId: string, batchId: string, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    requireBatchId(publisherId, batchId);
    const status = await lockBatch(tx, publisherId, batchId);
    if (status === 'Paid') return;
    if (status === 'Cancelled')
      throw new OperatorError(`The payout ${batchId} was cancelled; create a new one.`);
    await tx
      .updateTable('payout_batch')
      .set({ status: 'Paid', paid_at: now })
      .where('publisher_id', '=', publisherId)
      .where('batch_id', '=', batchId)
      .execute();
    for (const table of ['payment', 'reward_payment'] as const) {
      await tx
        .updateTable(table)
        .set({ paid_at: now })
        .where('publisher_id', '=', publisherId)
        .where('payout_batch_id', '=', batchId)
        .execute();
    }
    await announcePayout(tx, publisherId, batchId, 'Payout/PayoutPaid');
  });
}

/**
 * Takes a batch back before it is paid: its rows are payable again, clawbacks wait again, and the members'
 * balances are what they were. Done twice it changes nothing.
 * @throws OperatorError when there is no such batch, or it was paid
 */
export function cancelPayout(db: Db, publisherId: string, batchId: string, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    requireBatchId(publisherId, batchId);
    await lockForSettling(tx, publisherId); // its rows come back before a payout is made or after, not during
    await lockMembershipsOf(tx, publisherId, batchId);
    const status = await lockBatch(tx, publisherId, batchId);
    if (status === 'Cancelled') return;
    if (status === 'Paid')
      throw new OperatorError(
        `The payout ${batchId} is paid and cannot be cancelled; claw rows back instead.`,
      );
    await tx
      .updateTable('payout_batch')
      .set({ status: 'Cancelled', cancelled_at: now })
      .where('publisher_id', '=', publisherId)
      .where('batch_id', '=', batchId)
      .execute();
    for (const table of ['payment', 'reward_payment', 'clawback'] as const) {
      await tx
        .updateTable(table)
        .set({ payout_batch_id: null })
        .where('publisher_id', '=', publisherId)
        .where('payout_batch_id', '=', batchId)
        .execute();
    }
    await sql`
      with entry as (
        insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
        select i.publisher_id, i.item_id, 'payout-return', i.membership_id, b.currency, i.amount_minor
        from payout_item i
        join payout_batch b on b.publisher_id = i.publisher_id and b.batch_id = i.batch_id
        where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid
        returning membership_id, currency, amount_minor
      )
      update member_balance b
      set balance_minor = b.balance_minor + entry.amount_minor
      from entry
      where b.publisher_id = ${publisherId} and b.membership_id = entry.membership_id and b.currency = entry.currency`.execute(
      tx,
    );
  });
}

async function lockMembershipsOf(tx: Tx, publisherId: string, batchId: string): Promise<void> {
  await sql`
    select
    from membership
    where publisher_id = ${publisherId}
      and membership_id = any(array(
        select membership_id from payout_item where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid))
    order by membership_id
    for no key update`.execute(tx);
}

async function lockBatch(tx: Tx, publisherId: string, batchId: string): Promise<string> {
  const batch = await tx
    .selectFrom('payout_batch')
    .select('status')
    .where('publisher_id', '=', publisherId)
    .where('batch_id', '=', batchId)
    .forUpdate()
    .executeTakeFirst();
  if (batch === undefined) throw noSuchPayout(publisherId, batchId);
  return batch.status;
}

function requireBatchId(publisherId: string, batchId: string): void {
  if (!isRowId(batchId)) throw noSuchPayout(publisherId, batchId);
}

const noSuchPayout = (publisherId: string, batchId: string): OperatorError =>
  new OperatorError(`Publisher ${publisherId} has no payout ${batchId}.`);
