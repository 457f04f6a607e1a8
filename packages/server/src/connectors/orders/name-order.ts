import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ConnectorKey } from '../connector-record.ts';
import { readCodes } from '../work/split-sale.ts';

export interface OrderKey extends ConnectorKey {
  /** The provider's id of the order. */
  orderId: string;
}

export interface NamedOrder extends OrderKey {
  /** Creator code or split, such as `ALICE:70,BOB:30`; null to credit the code that the player has entered. */
  code: string | null;
  playerId: string | null;
  namedAt: Date;
  /** Time at which a purchase was first credited with it; null until then. */
  usedAt: Date | null;
}

/** Time for which an order that wasn't paid is kept, and for which one is kept after its purchase. */
export const unusedMs = 90 * 86_400_000;
export const usedMs = 30 * 86_400_000;

/**
 * Names the creator code and the player of an order, whose event may not contain them. Naming it again replaces them until the purchase
 * is recorded. An order that was reported earlier, and ignored for want of a code, is worked on again.
 * @throws Refusal InvalidInput; Conflict if the purchase was credited with another code or player
 */
export async function nameOrder(
  tx: Tx,
  { now, ...order }: Omit<NamedOrder, 'namedAt' | 'usedAt'> & { now: Date },
): Promise<NamedOrder> {
  const { publisherId, connectorId, orderId, code, playerId } = order;
  if (code !== null && readCodes(code) === null)
    throw new Refusal(
      'InvalidInput',
      'The code must be a code, or codes with whole percents such as ALICE:70,BOB:30.',
      { path: ['code'] },
    );
  const { rows } = await sql<OrderRow>`
    insert into connector_order as named (publisher_id, connector_id, order_id, code, player_id, named_at, ends_at)
    values (${publisherId}, ${connectorId}, ${orderId}, ${code}, ${playerId}, ${now}::timestamptz,
            ${new Date(now.getTime() + unusedMs)}::timestamptz)
    on conflict (publisher_id, connector_id, order_id) do update
    set code = excluded.code, player_id = excluded.player_id, named_at = excluded.named_at, ends_at = excluded.ends_at
    where named.used_at is null
    returning ${orderColumns}`.execute(tx);
  const [named] = rows;
  if (named === undefined) return requireSame(tx, order);
  await wakeSales(tx, order, now);
  return toOrder(named);
}

/** Returns an order that is in use already. @throws Refusal Conflict if it has another code or player */
async function requireSame(
  tx: Tx,
  { publisherId, connectorId, orderId, code, playerId }: Omit<NamedOrder, 'namedAt' | 'usedAt'>,
): Promise<NamedOrder> {
  const { rows } = await sql<OrderRow>`
    select ${orderColumns}
    from connector_order
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and order_id = ${orderId}
      and code is not distinct from ${code} and player_id is not distinct from ${playerId}`.execute(tx);
  const [same] = rows;
  if (same === undefined)
    throw new Refusal(
      'Conflict',
      `The purchase of order ${orderId} was recorded with another code or player. Nothing was changed.`,
    );
  return toOrder(same);
}

/**
 * Makes the order's purchase due if it was ignored without a code. A purchase that a worker has at the moment is taken again, because
 * the worker may have looked for the code before it was named.
 */
async function wakeSales(tx: Tx, { publisherId, connectorId, orderId }: OrderKey, now: Date): Promise<void> {
  await sql`
    update connector_event
    set status = 'Waiting', reason = 'New', next_attempt_at = ${now}, finished_at = null, missing_code = null,
        attempt_count = attempt_count + 1 -- a process that works on the event now no longer finishes it
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and order_id = ${orderId} and kind = 'Sale'
      and (
        (status = 'Ignored' and reason in ('NoCode', 'CodeNotInGroup'))
        or (status = 'Waiting' and reason = 'New' and next_attempt_at > ${now})
      )`.execute(tx);
}

export interface OrderRow {
  publisher_id: string;
  connector_id: string;
  order_id: string;
  code: string | null;
  player_id: string | null;
  named_at: Date;
  used_at: Date | null;
}

export const orderColumns = sql`publisher_id, connector_id, order_id, code, player_id, named_at, used_at`;

export const toOrder = (row: OrderRow): NamedOrder => ({
  publisherId: row.publisher_id,
  connectorId: row.connector_id,
  orderId: row.order_id,
  code: row.code,
  playerId: row.player_id,
  namedAt: row.named_at,
  usedAt: row.used_at,
});
