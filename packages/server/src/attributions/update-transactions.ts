import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { beginStep } from '../platform/database/connections/request-budget.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import type { AttributionRow } from './attribution-row.ts';
import { getTransaction, transactionNotFound } from './get-transaction.ts';
import { type Overwritten, overwriteRow } from './overwrite-row.ts';
import type { Action, TransactionStatus } from './transaction-schema.ts';

export interface Update {
  publisherId: string;
  transactionId: string;
  /** New status. The update appends a refund record to each row's payment. */
  action: Action | null;
  playerId: string | null;
  /** Reason for the audit log, in the actor's own words. */
  reason?: string | null;
}

/**
 * Result for one row. The update stops at the first row that was already paid out; later rows have no result.
 */
export interface RowOutcome {
  attributionId: AttributionId;
  outcome: 'updated' | 'paid-out' | 'not-reached';
}

/**
 * Locks the row's member and reverses the row's payment. Implemented by settlement. Returns false if the
 * payment was already paid out.
 */
export type ReversePayment = (
  tx: Tx,
  row: { publisherId: string; attributionId: AttributionId; isTest: boolean; reversal: Action | null },
) => Promise<boolean>;

/** Updates the counts of transactions by status. Implemented by settlement. */
export type CountStatus = (
  tx: Tx,
  change: { publisherId: string; attributionId: AttributionId; from: TransactionStatus; to: Action },
) => Promise<void>;

export interface UpdateDeps {
  db: Db;
  reversePayment: ReversePayment;
  countStatus: CountStatus;
}

/**
 * Updates every row of a purchase in creation order, each in its own commit with its own audit entry.
 * @returns the updated rows
 * @throws Refusal NotFound when the purchase doesn't exist; Conflict at the first row that was already paid
 *   out, in which case the rows before it stay updated
 */
export async function updateTransactions(
  deps: UpdateDeps,
  actor: Actor,
  update: Update,
): Promise<AttributionRow[]> {
  const outcomes = await updateRowByRow(deps, actor, update);
  if (outcomes.some(({ outcome }) => outcome === 'paid-out')) throw alreadyPaid();
  return getTransaction(deps.db, update.publisherId, update.transactionId);
}

/**
 * Updates a purchase like `updateTransactions`, and returns the outcome of each row.
 * @throws Refusal NotFound when the purchase doesn't exist
 */
export async function updateRowByRow(
  { db, reversePayment, countStatus }: UpdateDeps,
  actor: Actor,
  update: Update,
): Promise<RowOutcome[]> {
  const { publisherId, transactionId, action } = update;
  const rows = await db
    .selectFrom('attribution')
    .select(['attribution_id', 'is_test'])
    .where('publisher_id', '=', publisherId)
    .where('transaction_id', '=', transactionId)
    .orderBy('attribution_id')
    .execute();
  if (rows.length === 0) throw transactionNotFound();
  const outcomes: RowOutcome[] = [];
  let isStopped = false;
  for (const { attribution_id, is_test } of rows) {
    const attributionId = attribution_id;
    if (isStopped) {
      outcomes.push({ attributionId, outcome: 'not-reached' });
      continue;
    }
    if (outcomes.length > 0) beginStep();
    const isOpen = await inTransaction(db, async (tx) => {
      const row = { publisherId, attributionId };
      if (!(await reversePayment(tx, { ...row, isTest: is_test, reversal: action }))) return false;
      const { statusBefore, isStatusChanged } = await overwrite(tx, actor, update, attributionId);
      if (isStatusChanged && action !== null)
        await countStatus(tx, { ...row, from: statusBefore, to: action });
      return true;
    });
    isStopped = !isOpen;
    outcomes.push({ attributionId, outcome: isOpen ? 'updated' : 'paid-out' });
  }
  return outcomes;
}

/** Overwrites a row and adds an audit entry. The entry names neither the old nor the new buyer. */
async function overwrite(
  tx: Tx,
  actor: Actor,
  { publisherId, transactionId, action, playerId, reason = null }: Update,
  attributionId: AttributionId,
): Promise<Overwritten> {
  const overwritten = await overwriteRow(tx, publisherId, attributionId, {
    status: action,
    playerId,
  });
  const { statusBefore, isStatusChanged, isPlayerChanged } = overwritten;
  const target = `transaction:${transactionId}`;
  // Repeating an action only appends a refund record. The row doesn't change, so there is no audit entry.
  if (action !== null && isStatusChanged)
    await recordChange(tx, actor, {
      publisherId,
      action: `transaction.${action.toLowerCase()}`,
      target,
      before: { row: attributionId, status: statusBefore },
      after: { row: attributionId, status: action, ...(isPlayerChanged && { player: 'changed' }) },
      reason,
    });
  else if (isPlayerChanged)
    await recordChange(tx, actor, {
      publisherId,
      action: 'transaction.change-player',
      target,
      after: { row: attributionId, player: 'changed' },
      reason,
    });
  return overwritten;
}

const alreadyPaid = (): Refusal =>
  new Refusal(
    'Conflict',
    'A row of this transaction was already paid out. Rows before it may have been updated. Read the transaction again.',
  );
