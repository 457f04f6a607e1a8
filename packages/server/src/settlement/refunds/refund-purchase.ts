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
import type { Reversal, UncountRow } from '../reverse-payment.ts';
import { lockForReversal } from '../settlement-lock.ts';
import { planRefund, type RequestedAmounts } from './plan-refund.ts';
import { type PurchaseRefund, readRefunds } from './read-refunds.ts';
import { readRows } from './read-rows.ts';
import { toRefund } from './refund-schema.ts';
import { saveParts } from './save-parts.ts';

export interface RefundRequest extends RequestedAmounts {
  publisherId: string;
  transactionId: string;
  /** The publisher's id for the refund. Sending the same id again returns the first refund. */
  refundId: string;
  reversal: Reversal;
  /** Time at which the buyer got the money back; if null, the current time. */
  occurredAt: Date | null;
  /** Reason for the audit log, in the actor's own words. */
  reason?: string | null;
}

/** Maximum number of refunds of a purchase, so that a list of them stays short. */
const maxRefunds = 100;

/**
 * Refunds a part of a purchase, or all that is left of it, in one commit. A row stays Normal until it is fully
 * refunded, and then gets the reason as its status. Repeating the request changes nothing.
 * @returns the refund; the first one if it was already made
 * @throws Refusal NotFound when the purchase doesn't exist; InvalidInput when the amounts don't fit it; Conflict
 *   when a row is in a payout, or when another refund of the purchase has the same id
 */
export function refundPurchase(
  { uncountRow }: { uncountRow: UncountRow },
  db: Db,
  actor: Actor,
  request: RefundRequest,
): Promise<PurchaseRefund> {
  const { publisherId, transactionId, refundId } = request;
  return inTransaction(db, async (tx) => {
    if (!(await claimId(tx, request))) return readFirst(tx, request);
    // The refund must commit entirely before or entirely after a payout's cutoff.
    await lockForReversal(tx, publisherId);
    await lockMembers(
      tx,
      publisherId,
      sql`select distinct membership_id from attribution where publisher_id = ${publisherId} and transaction_id = ${transactionId}`,
    );
    const rows = await readRows(tx, publisherId, transactionId);
    if (rows.length === 0) throw transactionNotFound();
    const parts = planRefund(rows, request);
    await saveParts({ uncountRow }, tx, request, parts);
    const [refund] = await readRefunds(tx, publisherId, transactionId, refundId);
    if (refund === undefined) throw new Error("a refund was saved but can't be read");
    await publishEvents(tx, publisherId, [
      {
        kind: 'Attribution/TransactionRefunded',
        event: { groupId: parts[0]?.row.groupId ?? '', ...toRefund(refund) },
      },
    ]);
    await recordChange(tx, actor, {
      publisherId,
      action: 'transaction.refund-part',
      target: `transaction:${transactionId}`,
      after: {
        refund: refundId,
        status: request.reversal,
        amounts: parts.map(({ row, grossMinor }) => `${grossMinor} ${row.currency}`).join(', '),
        rows: parts.map(({ row }) => row.attributionId),
      },
      reason: request.reason ?? null,
    });
    return refund;
  });
}

/**
 * Saves the refund's id. Waits for a concurrent request with the same id.
 * @returns false if the id already exists
 */
async function claimId(tx: Tx, request: RefundRequest): Promise<boolean> {
  const { publisherId, transactionId, refundId, reversal, occurredAt } = request;
  const now = await readMoment(tx);
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count
    from purchase_refund
    where publisher_id = ${publisherId} and transaction_id = ${transactionId}`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into purchase_refund (publisher_id, transaction_id, sent_refund_id, reason, requested, occurred_at, created_at)
    values (${publisherId}, ${transactionId}, ${refundId}, ${reversal}, ${requestedText(request)}, ${occurredAt ?? now}, ${now})
    on conflict (publisher_id, transaction_id, sent_refund_id) do nothing`.execute(tx);
  const isNew = numAffectedRows === 1n;
  if (isNew && Number(rows[0]?.count ?? 0) >= maxRefunds)
    throw new Refusal('Conflict', `A transaction can have at most ${maxRefunds} refunds.`);
  return isNew;
}

/** Writes the requested amounts in a canonical form, so that equal requests have the same text. */
const requestedText = ({ amountMinor, rows }: RequestedAmounts): string =>
  JSON.stringify({
    amount: amountMinor === null ? null : String(amountMinor),
    rows:
      rows === null
        ? null
        : rows
            .map(({ id, amountMinor: amount }) => [id, amount === null ? null : String(amount)])
            .sort(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1)),
  });

/** @throws Refusal Conflict when the id was already used for a different refund */
async function readFirst(tx: Tx, request: RefundRequest): Promise<PurchaseRefund> {
  const { publisherId, transactionId, refundId, reversal } = request;
  const first = await tx
    .selectFrom('purchase_refund')
    .select(['reason', 'requested'])
    .where('publisher_id', '=', publisherId)
    .where('transaction_id', '=', transactionId)
    .where('sent_refund_id', '=', refundId)
    .executeTakeFirstOrThrow();
  if (first.reason !== reversal || first.requested !== requestedText(request))
    throw new Refusal(
      'Conflict',
      'The refundId was already used for another refund of this transaction, with another amount or reason. Nothing was refunded. Send a new refundId.',
    );
  const [refund] = await readRefunds(tx, publisherId, transactionId, refundId);
  if (refund === undefined) throw new Error("a refund was saved but can't be read");
  return refund;
}
