import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import {
  type NamedOrder,
  type OrderKey,
  type OrderRow,
  orderColumns,
  toOrder,
  usedMs,
} from './name-order.ts';

/** Finds an order that was named in advance; null if it wasn't. */
export async function findOrder(
  db: Db,
  { publisherId, connectorId, orderId }: OrderKey,
): Promise<NamedOrder | null> {
  const { rows } = await sql<OrderRow>`
    select ${orderColumns}
    from connector_order
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and order_id = ${orderId}`.execute(
    db,
  );
  const [row] = rows;
  return row === undefined ? null : toOrder(row);
}

/**
 * Marks a named order as used, just before its purchase is recorded, so that it can't be named differently afterward. The player takes
 * the place of the provider's in the order's events, so that erasing the player finds them.
 * @returns false if it was named differently in the meantime
 */
export async function useOrder(
  db: Db,
  { publisherId, connectorId, orderId, code, playerId }: NamedOrder,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ player_id: string | null }>`
    update connector_order
    set used_at = coalesce(used_at, ${now}::timestamptz), ends_at = ${new Date(now.getTime() + usedMs)}::timestamptz
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and order_id = ${orderId}
      and code is not distinct from ${code} and player_id is not distinct from ${playerId}
    returning player_id`.execute(db);
  if (rows.length === 0) return false;
  if (playerId !== null)
    await sql`
      update connector_event
      set player_id = ${playerId}
      where publisher_id = ${publisherId} and connector_id = ${connectorId} and order_id = ${orderId} and kind = 'Sale'`.execute(
      db,
    );
  return true;
}
