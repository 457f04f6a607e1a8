import { sql } from 'kysely';
import { purgePublishers, rowsAtOnce } from '../../api-keys/purge-publishers.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';

/**
 * Deletes orders that were named in advance: 30 days after their purchase, or 90 days after they were named if there was none.
 * @returns the number of orders
 */
export const purgeOrders = (db: Db, now: Date, stopping: AbortSignal): Promise<number> =>
  purgePublishers(db, stopping, async (publisherId) => {
    const { numAffectedRows } = await sql`
      delete from connector_order
      where publisher_id = ${publisherId} and (connector_id, order_id) in (
        select connector_id, order_id
        from connector_order
        where publisher_id = ${publisherId} and ends_at < ${now}
        limit ${rowsAtOnce})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });

/** Deletes the orders that were named for a buyer. @returns the number of orders */
export async function eraseOrders(
  tx: Tx,
  { publisherId, playerId, before }: { publisherId: string; playerId: string; before: Date | null },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from connector_order
    where publisher_id = ${publisherId} and player_id = ${playerId}
      and (${before}::timestamptz is null or named_at < ${before})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
