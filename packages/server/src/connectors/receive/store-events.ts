import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { unavailable } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { ConnectorRow } from '../connector-record.ts';
import { bodyPlace } from '../events/event-record.ts';
import { type BodyEvent, fieldsOf, readBody } from '../events/read-body.ts';
import type { SentRequest } from '../provider.ts';

/** Events that may wait in a connector. With more, the provider is asked to try again. */
export const maxWaiting = 10_000;
const maxKey = 400;

export interface Stored {
  /** Ids of the new events. */
  eventIds: string[];
  /** Number of events that had arrived before. */
  repeats: number;
}

export interface StoreDeps {
  db: Db | Tx;
  sealer: Sealer;
  now: Date;
  /** True for events that the service made itself. They are tests, even if the body doesn't say so. */
  isSample?: boolean;
}

/**
 * Stores the events of a signed request in one commit. An event that was stored before only counts as a repeat.
 * @throws Refusal Unavailable if too many events wait
 */
export async function storeEvents(
  deps: StoreDeps,
  connector: ConnectorRow,
  request: SentRequest,
): Promise<Stored> {
  await requireSpace(deps.db, connector);
  const headers = JSON.stringify(shownHeaders(request.headers));
  return insertEvents(
    deps,
    connector,
    readBody(connector, request.body).map((event) => ({ event, body: request.body, headers })),
  );
}

/** Event that was read, with what arrived. */
interface ArrivedEvent {
  event: BodyEvent;
  body: Buffer;
  /** JSON. */
  headers: string;
}

/** Orders of a report whose events are looked up together. */
const ordersAtOnce = 50;

/**
 * Stores the events of a report's orders that weren't stored before. A report repeats its orders, which counts as no repeat.
 * @throws Refusal Unavailable if too many events wait
 */
export async function storeOrders(
  deps: StoreDeps,
  connector: ConnectorRow,
  orders: readonly unknown[],
): Promise<string[]> {
  const stored: string[] = [];
  for (let from = 0; from < orders.length; from += ordersAtOnce) {
    const arrived = orders.slice(from, from + ordersAtOnce).flatMap((order) => {
      const body = Buffer.from(JSON.stringify(order));
      return readBody(connector, body).map((event) => ({ event, body, headers: '{}' }));
    });
    const known = await readKnownKeys(
      deps.db,
      connector,
      arrived.map(({ event }) => boundedKey(event.key)),
    );
    const added = arrived.filter(({ event }) => !known.has(boundedKey(event.key)));
    if (added.length === 0) continue;
    await requireSpace(deps.db, connector);
    stored.push(...(await insertEvents(deps, connector, added)).eventIds);
  }
  return stored;
}

async function readKnownKeys(
  db: Db | Tx,
  { publisher_id: publisherId, connector_id: connectorId }: ConnectorRow,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ event_key: string }>`
    select event_key
    from connector_event
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and event_key = any(${[...keys]}::text[])`.execute(
    db,
  );
  return new Set(rows.map(({ event_key }) => event_key));
}

/** @throws Refusal Unavailable if too many events wait */
async function requireSpace(
  db: Db | Tx,
  { publisher_id: publisherId, connector_id: connectorId }: ConnectorRow,
): Promise<void> {
  if (await isFull(db, publisherId, connectorId))
    throw unavailable('Too many events of this connector are waiting. Send this one again later.');
}

async function insertEvents(
  { db, sealer, now, isSample = false }: StoreDeps,
  { publisher_id: publisherId, connector_id: connectorId }: ConnectorRow,
  arrived: readonly ArrivedEvent[],
): Promise<Stored> {
  const events = arrived.map(({ event, body, headers }) => {
    const eventId = newRowId();
    const fields = fieldsOf(event);
    return {
      ...fields,
      isTest: isSample || fields.isTest,
      eventId,
      key: boundedKey(event.key),
      headers,
      body: sealer.seal(body.toString('base64'), bodyPlace(publisherId, eventId)),
    };
  });
  const { rows } = await sql<{ connector_event_id: string }>`
    insert into connector_event (publisher_id, connector_event_id, connector_id, event_key, type, kind, is_test, is_sample, order_id,
                                 subject_id, player_id, reading, headers, body, status, reason, received_at, next_attempt_at)
    select ${publisherId}, e.event_id, ${connectorId}, e.key, e.type, e.kind, e.is_test, ${isSample}::boolean, e.order_id, e.subject_id,
           e.player_id, e.reading, e.headers, e.body, 'Waiting', 'New', ${now}::timestamptz, ${now}::timestamptz
    from unnest(
      ${events.map(({ eventId }) => eventId)}::uuid[], ${events.map(({ key }) => key)}::text[],
      ${events.map(({ type }) => type)}::text[], ${events.map(({ kind }) => kind)}::text[],
      ${events.map(({ isTest }) => isTest)}::boolean[], ${events.map(({ orderId }) => orderId)}::text[],
      ${events.map(({ subjectId }) => subjectId)}::text[], ${events.map(({ playerId }) => playerId)}::text[],
      ${events.map(({ reading }) => reading)}::text[], ${events.map(({ headers }) => headers)}::text[],
      ${events.map(({ body }) => body)}::text[]
    ) as e (event_id, key, type, kind, is_test, order_id, subject_id, player_id, reading, headers, body)
    on conflict (publisher_id, connector_id, event_key) do nothing
    returning connector_event_id`.execute(db);
  const stored = new Set(rows.map(({ connector_event_id }) => connector_event_id));
  const repeated = events.filter(({ eventId }) => !stored.has(eventId));
  if (repeated.length > 0)
    await sql`
      update connector_event
      set repeats = least(repeats + 1, 1000000)
      where publisher_id = ${publisherId} and connector_id = ${connectorId}
        and event_key = any(${repeated.map(({ key }) => key)}::text[])`.execute(db);
  return { eventIds: [...stored], repeats: repeated.length };
}

async function isFull(db: Db | Tx, publisherId: string, connectorId: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (
      select 1
      from connector_event
      where publisher_id = ${publisherId} and connector_id = ${connectorId} and status = 'Waiting'
      limit ${maxWaiting}
    ) waiting`.execute(db);
  return (rows[0]?.count ?? 0) >= maxWaiting;
}

const boundedKey = (key: string): string =>
  key.length <= maxKey ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;

/** Headers that help to find a mistake. None of them is a secret, a signature or an address. */
const shown: readonly string[] = ['content-type', 'content-length', 'user-agent', 'x-request-id'];

const shownHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    shown.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value.slice(0, 300)]];
    }),
  );
