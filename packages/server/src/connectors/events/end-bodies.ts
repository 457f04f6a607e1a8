import { sql } from 'kysely';
import { purgePublishers, rowsAtOnce } from '../../api-keys/purge-publishers.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { eraseOrders } from '../orders/end-orders.ts';
import { keptMs } from './event-record.ts';

/**
 * Deletes what arrived more than 30 days ago, in batches. The events themselves stay, because their keys make repetitions harmless.
 * @returns the number of events
 */
export const purgeBodies = (db: Db, now: Date, stopping: AbortSignal): Promise<number> =>
  purgePublishers(db, stopping, async (publisherId) => {
    const { numAffectedRows } = await sql`
      update connector_event
      set body = null, headers = null, missing_code = null
      where publisher_id = ${publisherId} and connector_event_id in (
        select connector_event_id
        from connector_event
        where publisher_id = ${publisherId} and body is not null and received_at < ${new Date(now.getTime() - keptMs)}
        limit ${rowsAtOnce})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });

interface BuyerOfPublisher {
  publisherId: string;
  playerId: string;
  /** End of what is erased; null for everything. */
  before: Date | null;
}

/**
 * Erases a buyer from events, and the orders that were named for the buyer. Deletes the bodies of the buyer's events, and of events that
 * name no buyer, because they may contain the buyer too. @returns the number of events and orders
 */
export async function eraseInConnectorEvents(
  tx: Tx,
  { publisherId, playerId, before }: BuyerOfPublisher,
): Promise<number> {
  const isBefore = sql`(${before}::timestamptz is null or received_at < ${before})`;
  await sql`
    update connector_event
    set body = null
    where publisher_id = ${publisherId} and body is not null and player_id is null and ${isBefore}`.execute(
    tx,
  );
  const { numAffectedRows } = await sql`
    update connector_event
    set player_id = null, body = null, reading = (reading::jsonb - 'playerId' || '{"playerId": null}'::jsonb)::text
    where publisher_id = ${publisherId} and player_id = ${playerId} and ${isBefore}`.execute(tx);
  return Number(numAffectedRows ?? 0) + (await eraseOrders(tx, { publisherId, playerId, before }));
}
