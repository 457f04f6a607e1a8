import { findRefund, readRefunds } from '../../settlement/refunds/read-refunds.ts';
import type { Reversed } from '../movement.ts';
import { actorOfConnector, type EventWork } from './event-work.ts';
import { findPurchase, waitOrGiveUp } from './find-purchase.ts';
import type { Outcome } from './outcome.ts';

/** Reinstates a refund or chargeback that was undone. */
export async function applyReversed(
  work: EventWork,
  { orderId, subjectId, at }: Omit<Reversed, 'kind'>,
): Promise<Outcome> {
  const found = await findPurchase(work, orderId);
  if ('status' in found) return found;
  const { transactionId } = found;
  const isReinstated = await reinstate(work, { transactionId, refundId: subjectId, at });
  if (!isReinstated) return waitOrGiveUp(work, 'NoRefund', false);
  return { status: 'Done', reason: 'Reinstated', transactionId };
}

/** Reinstates a refund. Once it is reinstated, nothing changes. @returns false if there is no such refund */
export async function reinstate(
  { deps, connector }: EventWork,
  { transactionId, refundId, at }: { transactionId: string; refundId: string; at: string },
): Promise<boolean> {
  const { publisherId } = connector;
  const refunds = await readRefunds(deps.db, publisherId, transactionId);
  if (findRefund(refunds, refundId) === undefined) return false;
  await deps.operations.reinstateRefund(deps.db, actorOfConnector(connector), {
    ...{ publisherId, transactionId, refundId },
    reason: `${connector.name}: ${refundId} was reversed.`.slice(0, 500),
    occurredAt: new Date(at),
  });
  return true;
}
