import { sql } from 'kysely';
import type { AttributionRow } from '../../attributions/attribution-row.ts';
import { Refusal } from '../../platform/refusal.ts';
import { holdPurchase } from '../../settlement/holds/hold-purchase.ts';
import { readOpenHolds } from '../../settlement/holds/list-holds.ts';
import type { Hold } from '../../settlement/holds/read-holds.ts';
import { releaseHold } from '../../settlement/holds/release-hold.ts';
import { fromReading } from '../events/reading.ts';
import type { Dispute } from '../movement.ts';
import { applyRefund, paidOut } from './apply-refund.ts';
import { reinstate } from './apply-reversed.ts';
import { actorOfConnector, type EventWork } from './event-work.ts';
import { type FoundPurchase, findPurchase } from './find-purchase.ts';
import type { Outcome } from './outcome.ts';

/** Holds a disputed purchase, charges it back when the dispute is lost, and releases it when it is won. */
export async function applyDispute(work: EventWork, dispute: Dispute): Promise<Outcome> {
  const found = await findPurchase(work, dispute.orderId);
  if ('status' in found) return found;
  switch (dispute.state) {
    case 'Opened':
      return hold(work, dispute, found);
    case 'Lost':
      return chargeBack(work, dispute, found);
    case 'Won':
      return release(work, dispute, found);
  }
}

const reasonOf = ({ connector }: EventWork, { subjectId }: Dispute): string =>
  `${connector.name}: dispute ${subjectId}`.slice(0, 500);

async function hold(
  work: EventWork,
  dispute: Dispute,
  { transactionId, rows }: FoundPurchase,
): Promise<Outcome> {
  const { deps, connector } = work;
  if (await isClosed(work, dispute)) return { status: 'Ignored', reason: 'AlreadyClosed' };
  const open = await openHolds(work, rows);
  if (open.length > 0) return { status: 'Done', reason: 'AlreadyHeld', transactionId };
  if (rows.every(({ status }) => status !== 'Normal')) return { status: 'Ignored', reason: 'NothingLeft' };
  try {
    await holdPurchase(deps.db, actorOfConnector(connector), {
      publisherId: connector.publisherId,
      transactionId,
      rows: null,
      reason: reasonOf(work, dispute),
      endsAt: null,
    });
    return { status: 'Done', reason: 'Held', transactionId };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
    if ((await paidOut(work, transactionId)) !== null)
      return {
        status: 'Ignored',
        reason: 'PaidOut',
        message: `The purchase ${transactionId} is already in a payout, so that it could not be held.`,
      };
    throw error;
  }
}

async function chargeBack(work: EventWork, dispute: Dispute, found: FoundPurchase): Promise<Outcome> {
  const { orderId, subjectId, amount, at } = dispute;
  const outcome = await applyRefund(work, {
    ...{ orderId, subjectId, amount, at },
    reversal: 'Chargeback',
    includesTax: true,
  });
  if (outcome.status !== 'Waiting') await releaseOwn(work, dispute, found.rows);
  return outcome;
}

async function release(
  work: EventWork,
  dispute: Dispute,
  { transactionId, rows }: FoundPurchase,
): Promise<Outcome> {
  const released = await releaseOwn(work, dispute, rows);
  const { subjectId: refundId, at } = dispute;
  if (await reinstate(work, { transactionId, refundId, at }))
    return { status: 'Done', reason: 'Reinstated', transactionId };
  return released > 0
    ? { status: 'Done', reason: 'Released', transactionId }
    : {
        status: 'Done',
        reason: 'Released',
        transactionId,
        message: 'The purchase was not on hold for this dispute.',
      };
}

const openHolds = ({ deps, connector }: EventWork, rows: readonly AttributionRow[]): Promise<Hold[]> =>
  readOpenHolds(
    deps.db,
    connector.publisherId,
    rows.map(({ attributionId }) => attributionId),
  );

/** Releases the holds that this dispute placed. @returns their number */
async function releaseOwn(
  work: EventWork,
  dispute: Dispute,
  rows: readonly AttributionRow[],
): Promise<number> {
  const { deps, connector } = work;
  const reason = reasonOf(work, dispute);
  const own = (await openHolds(work, rows)).filter((each) => each.reason === reason);
  for (const { holdId } of own) {
    const request = {
      publisherId: connector.publisherId,
      holdId,
      reason: `${reason} was closed.`.slice(0, 500),
    };
    await releaseHold(deps.db, actorOfConnector(connector), request).catch((error) => {
      // A person has released it at the same time.
      if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
    });
  }
  return own.length;
}

/** Returns whether the end of a dispute arrived before its beginning. */
async function isClosed(
  { deps: { db }, connector: { publisherId, connectorId } }: EventWork,
  { orderId, subjectId }: Dispute,
): Promise<boolean> {
  const { rows } = await sql<{ reading: string | null }>`
    select reading
    from connector_event
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and order_id = ${orderId} and kind = 'Dispute'
      and subject_id = ${subjectId} and status = 'Done'
    limit 100`.execute(db);
  return rows.some(({ reading }) => {
    const movement = fromReading(reading);
    return movement?.kind === 'Dispute' && movement.state !== 'Opened';
  });
}
