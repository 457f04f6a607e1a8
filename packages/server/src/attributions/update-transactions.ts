import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { beginStep } from '../platform/database/connections/on-behalf-of.ts';
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
  /** The new status; appends a refund record to each row's payment. */
  action: Action | null;
  /** Overwrites the purchaser's id. */
  playerId: string | null;
  /** In the words of whoever asks, for the audit log. */
  reason?: string | null;
}

/** What became of a row. The walk stops at one that was paid out, and does not reach those after it. */
export interface RowOutcome {
  attributionId: AttributionId;
  outcome: 'updated' | 'paid-out' | 'not-reached';
}

/** The payment side of an update, which settlement owns, and the lock of the row's member: false when the payment was paid out. */
export type ReversePayment = (
  tx: Tx,
  row: { publisherId: string; attributionId: AttributionId; isTest: boolean; reversal: Action | null },
) => Promise<boolean>;

/** Has a row counted by its new status, which settlement does. */
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
 * Updates every row of a purchase, in creation order, one commit each, and each with its entry in the audit log.
 * @returns the updated rows
 * @throws Refusal NotFound when there is none; Conflict at a row already paid out, and earlier rows stay updated
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
 * The same walk, for whoever wants to know of each row what became of it.
 * @throws Refusal NotFound when there is none
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
  let hasStopped = false;
  for (const { attribution_id, is_test } of rows) {
    const attributionId = attribution_id;
    if (hasStopped) {
      outcomes.push({ attributionId, outcome: 'not-reached' });
      continue;
    }
    if (outcomes.length > 0) beginStep();
    const isOpen = await inTransaction(db, async (tx) => {
      const row = { publisherId, attributionId };
      if (!(await reversePayment(tx, { ...row, isTest: is_test, reversal: action }))) return false;
      const { statusBefore, isStatusNew } = await overwrite(tx, actor, update, attributionId);
      if (isStatusNew && action !== null) await countStatus(tx, { ...row, from: statusBefore, to: action });
      return true;
    });
    hasStopped = !isOpen;
    outcomes.push({ attributionId, outcome: isOpen ? 'updated' : 'paid-out' });
  }
  return outcomes;
}

/** Overwrites a row and says so in the audit log; of whom the purchaser was, and is, the log says nothing. */
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
  const { statusBefore, isStatusNew, isPlayerNew } = overwritten;
  const target = `transaction:${transactionId}`;
  // The same action once more appends a refund record, which says so itself; of what the row is, nothing has changed.
  if (action !== null && isStatusNew)
    await recordChange(tx, actor, {
      publisherId,
      action: `transaction.${action.toLowerCase()}`,
      target,
      before: { row: attributionId, status: statusBefore },
      after: { row: attributionId, status: action, ...(isPlayerNew && { player: 'changed' }) },
      reason,
    });
  else if (isPlayerNew)
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
    'A row of this transaction was already paid out; rows before it may have been updated, so read it again.',
  );
