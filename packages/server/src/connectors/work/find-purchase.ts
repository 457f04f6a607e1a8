import { sql } from 'kysely';
import type { AttributionRow } from '../../attributions/attribution-row.ts';
import { getTransaction } from '../../attributions/get-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { waitsForPurchaseMs } from '../events/event-record.ts';
import { type EventWork, transactionIdOf } from './event-work.ts';
import type { Outcome } from './outcome.ts';

export interface FoundPurchase {
  transactionId: string;
  rows: AttributionRow[];
}

/**
 * Finds the purchase that a refund or dispute is about: the one that the connector recorded, or that the publisher's back end recorded
 * under the order's id.
 * @returns the reason for which there is none, or not yet
 */
export async function findPurchase(work: EventWork, orderId: string): Promise<FoundPurchase | Outcome> {
  const { deps, connector } = work;
  const { publisherId } = connector;
  const sale = await readSale(work, orderId);
  const transactionId = sale?.transaction_id ?? transactionIdOf(connector, orderId);
  const rows = await getTransaction(deps.db, publisherId, transactionId).catch((error) => {
    if (error instanceof Refusal && error.code === 'NotFound') return null;
    throw error;
  });
  if (rows !== null) return { transactionId, rows };
  // An unknown code may be approved later, and the purchase is then recorded.
  if (sale?.status === 'Ignored' && sale.reason !== 'CodeNotInGroup')
    return { status: 'Ignored', reason: sale.reason as 'NoCode' };
  return waitOrGiveUp(work, 'NoPurchase', sale !== undefined);
}

/** Lets an event wait for another one, for seven days unless that one has arrived. */
export function waitOrGiveUp(
  { deps, event }: EventWork,
  reason: 'NoPurchase' | 'NoRefund',
  hasArrived: boolean,
): Outcome {
  const ageMs = deps.clock.now().getTime() - event.receivedAt.getTime();
  const limitMs = hasArrived ? waitsForPurchaseMs * 5 : waitsForPurchaseMs;
  return ageMs > limitMs ? { status: 'Ignored', reason: 'TooLate' } : { status: 'Waiting', reason };
}

async function readSale(
  { deps: { db }, connector: { publisherId, connectorId } }: EventWork,
  orderId: string,
): Promise<{ transaction_id: string | null; status: string; reason: string } | undefined> {
  const { rows } = await sql<{ transaction_id: string | null; status: string; reason: string }>`
    select transaction_id, status, reason
    from connector_event
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and order_id = ${orderId} and kind = 'Sale'
    order by status = 'Done' desc, connector_event_id desc
    limit 1`.execute(db);
  return rows[0];
}
