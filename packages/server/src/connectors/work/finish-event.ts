import { sql } from 'kysely';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { EventDeps } from './deps.ts';
import type { Outcome } from './outcome.ts';
import type { TakenEvent } from './take-events.ts';

/** Reasons for which what arrived may be needed again. */
const keepsBody = ({ status, reason }: Outcome): boolean =>
  status === 'Failed' || status === 'Waiting' || (status === 'Ignored' && !['Type', 'Test'].includes(reason));

/** Pause before an event that waits for another one is looked at again, if that one doesn't wake it. */
const waitMs = { NoPurchase: 3_600_000, NoRefund: 3_600_000, PaidOut: 21_600_000, Retry: 0 } as const;
const retryMs = 2_000;
const maxRetryMs = 900_000;

/** Saves what became of an event, unless another process has taken it over, and wakes the events that waited for it. */
export function finishEvent(
  { db, clock }: EventDeps,
  publisherId: string,
  event: TakenEvent,
  outcome: Outcome,
): Promise<void> {
  const now = clock.now();
  const isWaiting = outcome.status === 'Waiting';
  const transactionId = outcome.status === 'Done' ? outcome.transactionId : null;
  const missingCode = outcome.status === 'Ignored' ? (outcome.missingCode ?? null) : null;
  return inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('connector_event')
      .set({
        status: outcome.status,
        reason: outcome.reason,
        result: outcome.message === undefined ? null : JSON.stringify({ message: outcome.message }),
        ...(transactionId !== null && { transaction_id: transactionId }),
        missing_code: missingCode,
        ...(!keepsBody(outcome) && { body: null }),
        next_attempt_at: isWaiting ? nextAttempt(outcome.reason, event.attempt, now) : now,
        finished_at: isWaiting ? null : now,
      })
      .where('publisher_id', '=', publisherId)
      .where('connector_event_id', '=', event.eventId)
      .where('status', '=', 'Waiting')
      .where('attempt_count', '=', event.attempt)
      .executeTakeFirst();
    if (numUpdatedRows > 0n && outcome.status === 'Done' && event.orderId !== null)
      await wakeOrder(tx, publisherId, event, now);
  });
}

function nextAttempt(reason: keyof typeof waitMs, attempt: number, now: Date): Date {
  const backoffMs = Math.min(maxRetryMs, retryMs * 2 ** Math.min(attempt - 1, 10));
  return new Date(now.getTime() + (reason === 'Retry' ? backoffMs : waitMs[reason]));
}

/**
 * Makes events of an order due that waited for this one, and those that were ignored because the purchase was.
 */
async function wakeOrder(
  tx: Tx,
  publisherId: string,
  { connectorId, orderId, eventId }: TakenEvent,
  now: Date,
): Promise<void> {
  await sql`
    update connector_event
    set status = 'Waiting', reason = 'New', next_attempt_at = ${now}, finished_at = null
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and order_id = ${orderId}
      and connector_event_id <> ${eventId} and (
        (status = 'Waiting' and reason in ('NoPurchase', 'NoRefund'))
        or (status = 'Ignored' and kind <> 'Sale' and reason in ('NoCode', 'Free', 'Renewal', 'Live'))
      )`.execute(tx);
}
