import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { publishEvents } from '../webhooks/publish-events.ts';
import { type AttributionRow, toTransactionEvent } from './attribution-row.ts';
import { getTransaction, transactionNotFound } from './get-transaction.ts';
import { readAttributions } from './read-attributions.ts';
import type { Action } from './transaction-schema.ts';

export interface Update {
  /** The new status; appends a refund record to the row's payment. */
  action: Action | null;
  /** Overwrites the purchaser's id. */
  playerId: string | null;
}

/** The payment side of an update, which settlement owns: false when the payment was paid out. */
export type ReversePayment = (
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  reversal: Action | null,
) => Promise<boolean>;

/**
 * Updates every row of a purchase, in creation order, one commit each.
 * @returns the updated rows
 * @throws Refusal 404 when there is none; 409 at a row already paid out, and earlier rows stay updated
 */
export async function updateTransactions(
  db: Db,
  reversePayment: ReversePayment,
  publisherId: string,
  transactionId: string,
  { action, playerId }: Update,
): Promise<AttributionRow[]> {
  const rows = await db
    .selectFrom('attribution')
    .select(['attribution_id', 'is_test'])
    .where('publisher_id', '=', publisherId)
    .where('transaction_id', '=', transactionId)
    .orderBy('attribution_id')
    .execute();
  if (rows.length === 0) throw transactionNotFound();
  for (const { attribution_id, is_test } of rows) {
    await inTransaction(db, async (tx) => {
      // A row created as Test has no payment, and gets none by being reversed.
      if (!is_test && !(await reversePayment(tx, publisherId, attribution_id, action))) throw alreadyPaid();
      if (playerId !== null)
        await tx
          .updateTable('attribution')
          .set({ player_id: playerId })
          .where('publisher_id', '=', publisherId)
          .where('attribution_id', '=', attribution_id)
          .execute();
      if (action !== null) await setStatus(tx, publisherId, attribution_id, action);
    });
  }
  return getTransaction(db, publisherId, transactionId);
}

const alreadyPaid = (): Refusal =>
  new Refusal(
    'Conflict',
    'A row of this transaction was already paid out; rows before it may have been updated, so read it again.',
  );

/** Sets the status of one row, and tells the publisher when it was another one. */
export async function setStatus(
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  status: Action,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('attribution')
    .set({ status })
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', '=', attributionId)
    .where('status', '!=', status)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await announceStatus(tx, publisherId, attributionId);
}

async function announceStatus(tx: Tx, publisherId: string, attributionId: AttributionId): Promise<void> {
  const keys = sql`select ${attributionId}::uuid as attribution_id`;
  const [row] = await readAttributions(tx, publisherId, keys, sql`a.attribution_id`);
  if (row === undefined) throw new Error('a row whose status changed is gone');
  await publishEvents(tx, publisherId, [
    { kind: 'Attribution/TransactionStatusChanged', event: toTransactionEvent(row) },
  ]);
}
