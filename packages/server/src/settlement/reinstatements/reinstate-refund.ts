import { sql } from 'kysely';
import { transactionNotFound } from '../../attributions/get-transaction.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { lockMembers } from '../../members/lock-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import { Refusal } from '../../platform/refusal.ts';
import { publishEvents } from '../../webhooks/publish-events.ts';
import { findRefund, type PurchaseRefund, readRefunds } from '../refunds/read-refunds.ts';
import { lockForReversal } from '../settlement-lock.ts';
import { planReinstatement } from './plan-reinstatement.ts';
import { type LockedRow, readReinstatable } from './read-reinstatable.ts';
import { type PurchaseReinstatement, readReinstatement } from './read-reinstatement.ts';
import { toReinstatement } from './reinstatement-schema.ts';
import { saveReinstatement } from './save-reinstatement.ts';

export interface ReinstatementRequest {
  publisherId: string;
  transactionId: string;
  /** Id of the refund, as the list of refunds shows it. */
  refundId: string;
  /** Reason, in the actor's own words. */
  reason: string;
  /** Time at which the buyer's payment became valid again; if null, the current time. */
  occurredAt: Date | null;
}

/**
 * Function that counts what is left of a purchase toward bounties. Passed as a parameter, because settlement can't
 * import the bounties slice.
 */
export type RecountPurchase = (tx: Tx, publisherId: string, transactionId: string) => Promise<void>;

/**
 * Reinstates a refund of a purchase, a change of its status or a clawback, in one commit. Gives back everything that it
 * took, except what another reversal that is still in effect takes too. Repeating the request changes nothing.
 * @returns the reinstatement; the first one if the refund was already reinstated
 * @throws Refusal NotFound when the purchase or the refund doesn't exist; Conflict when a row is in a payout that was
 *   not marked as paid
 */
export function reinstateRefund(
  { recountPurchase }: { recountPurchase: RecountPurchase },
  db: Db,
  actor: Actor,
  request: ReinstatementRequest,
): Promise<PurchaseReinstatement> {
  const { publisherId, transactionId, reason } = request;
  return inTransaction(db, async (tx) => {
    // The reinstatement must commit entirely before or entirely after a payout's cutoff.
    await lockForReversal(tx, publisherId);
    await lockMembers(
      tx,
      publisherId,
      sql`select distinct membership_id from attribution where publisher_id = ${publisherId} and transaction_id = ${transactionId}`,
    );
    const refund = await requireRefund(tx, request);
    const { refundId } = refund;
    if (refund.reinstated !== null) return readReinstatement(tx, publisherId, transactionId, refundId);
    const rows = await readReinstatable(
      tx,
      publisherId,
      refund.rows.map(({ attributionId }) => attributionId),
    );
    requireSettled(rows);
    const undone = new Set(refund.rows.flatMap(({ recordIds }) => recordIds));
    const parts = rows.map((row) => planReinstatement(row, undone));
    await saveRequest(tx, request, refundId);
    await saveReinstatement(tx, { publisherId, refundKey: refundId }, parts);
    if (rows.some(({ isPosted }) => isPosted)) await recountPurchase(tx, publisherId, transactionId);
    const made = await readReinstatement(tx, publisherId, transactionId, refundId);
    await publishEvents(tx, publisherId, [
      {
        kind: 'Attribution/TransactionReinstated',
        event: { groupId: rows[0]?.groupId ?? '', ...toReinstatement(made) },
      },
    ]);
    await recordChange(tx, actor, {
      publisherId,
      action: 'transaction.reinstate',
      target: `transaction:${transactionId}`,
      before: { refund: refundId, statuses: rows.map(({ status }) => status).join(', ') },
      after: {
        refund: refundId,
        statuses: parts.map(({ statusAfter }) => statusAfter).join(', '),
        amounts: parts.map(({ row, grossMinor }) => `${grossMinor} ${row.currency}`).join(', '),
        rows: rows.map(({ attributionId }) => attributionId),
      },
      reason,
    });
    return made;
  });
}

/** @throws Refusal NotFound */
async function requireRefund(
  tx: Tx,
  { publisherId, transactionId, refundId }: ReinstatementRequest,
): Promise<PurchaseRefund> {
  const refunds = await readRefunds(tx, publisherId, transactionId);
  const refund = findRefund(refunds, refundId);
  if (refund !== undefined) return refund;
  if (refunds.length === 0 && !(await exists(tx, publisherId, transactionId))) throw transactionNotFound();
  throw new Refusal(
    'NotFound',
    'The transaction has no refund with this id. List its refunds, and use one of their ids.',
  );
}

async function exists(tx: Tx, publisherId: string, transactionId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from attribution where publisher_id = ${publisherId} and transaction_id = ${transactionId} limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** @throws Refusal Conflict when a row is in a payout that may still be canceled */
function requireSettled(rows: readonly LockedRow[]): void {
  if (rows.some(({ payout }) => payout === 'unpaid'))
    throw new Refusal(
      'Conflict',
      'A record of this transaction is in a payout that is not marked as paid, so nothing was reinstated. Mark the payout as paid, or cancel it, and try again.',
    );
}

async function saveRequest(
  tx: Tx,
  { publisherId, transactionId, reason, occurredAt }: ReinstatementRequest,
  refundKey: string,
): Promise<void> {
  const now = await readMoment(tx);
  await tx
    .insertInto('purchase_reinstatement')
    .values({
      publisher_id: publisherId,
      transaction_id: transactionId,
      refund_key: refundKey,
      reason,
      occurred_at: occurredAt ?? now,
      created_at: now,
    })
    .execute();
}
