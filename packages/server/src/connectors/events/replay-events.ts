import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import {
  type ConnectorKey,
  type ConnectorRow,
  connectorTarget,
  readConnectorRow,
} from '../connector-record.ts';
import { fieldsOf, readBody } from './read-body.ts';
import { openBody } from './read-event.ts';

/** Events that a replay of all takes. */
const maxReplayed = 500;

export interface Replay extends ConnectorKey {
  /** Null for all failed events. */
  eventId: string | null;
}

/**
 * Reads events again with the connector's present settings, and works on them again. Done events are not replayed: what they recorded
 * is there.
 * @returns the number of events
 * @throws Refusal NotFound; Conflict for an event that is done
 */
export function replayEvents(
  { db, sealer, now }: { db: Db; sealer: Sealer; now: Date },
  actor: Actor,
  { publisherId, connectorId, eventId }: Replay,
): Promise<{ replayed: number; isMoreLeft: boolean }> {
  const key = { publisherId, connectorId };
  return inTransaction(db, async (tx) => {
    const connector = await readConnectorRow(tx, key);
    const found = eventId === null ? await readFailed(tx, key) : [await readOne(tx, key, eventId)];
    const chosen = found.slice(0, maxReplayed);
    for (const event of chosen) await readAgain(tx, { sealer, connector, now }, event);
    if (chosen.length > 0)
      await recordChange(tx, actor, {
        publisherId,
        action: 'connector.replay',
        target: connectorTarget(key),
        after: { events: chosen.length, ...(eventId !== null && { event: eventId }) },
      });
    return { replayed: chosen.length, isMoreLeft: found.length > chosen.length };
  });
}

interface StoredEvent {
  connector_event_id: string;
  event_key: string;
  status: string;
  is_test: boolean;
  body: string | null;
}

async function readFailed(tx: Tx, { publisherId, connectorId }: ConnectorKey): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select connector_event_id, event_key, status, is_test, body
    from connector_event
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and status = 'Failed'
    order by connector_event_id
    limit ${maxReplayed + 1}
    for update`.execute(tx);
  return rows;
}

async function readOne(
  tx: Tx,
  { publisherId, connectorId }: ConnectorKey,
  eventId: string,
): Promise<StoredEvent> {
  const { rows } = isRowId(eventId)
    ? await sql<StoredEvent>`
        select connector_event_id, event_key, status, is_test, body
        from connector_event
        where publisher_id = ${publisherId} and connector_id = ${connectorId} and connector_event_id = ${eventId}::uuid
        for update`.execute(tx)
    : { rows: [] };
  const [row] = rows;
  if (row === undefined) throw new Refusal('NotFound', `Connector ${connectorId} has no event ${eventId}.`);
  if (row.status === 'Done')
    throw new Refusal('Conflict', 'The event is done. Change what it recorded in Transactions.');
  return row;
}

/**
 * Reads an event again if what arrived is still stored; otherwise, the earlier reading is used. An event of a body keeps its row; the
 * body's other events have rows of their own.
 */
async function readAgain(
  tx: Tx,
  { sealer, connector, now }: { sealer: Sealer; connector: ConnectorRow; now: Date },
  event: StoredEvent,
): Promise<void> {
  const { publisher_id: publisherId } = connector;
  const read =
    event.body === null
      ? []
      : readBody(
          connector,
          openBody(sealer, publisherId, { eventId: event.connector_event_id, body: event.body }),
        );
  const again = read.find(({ key }) => key === event.event_key) ?? (read.length === 1 ? read[0] : undefined);
  const fields = again === undefined ? null : fieldsOf(again);
  await tx
    .updateTable('connector_event')
    .set({
      status: 'Waiting',
      reason: 'New',
      result: null,
      missing_code: null,
      attempt_count: 0,
      next_attempt_at: now,
      finished_at: null,
      ...(fields !== null && {
        type: fields.type,
        kind: fields.kind,
        // A test by the publisher stays a test, whatever its body says.
        is_test: event.is_test || fields.isTest,
        order_id: fields.orderId,
        subject_id: fields.subjectId,
        player_id: fields.playerId,
        reading: fields.reading,
      }),
    })
    .where('publisher_id', '=', publisherId)
    .where('connector_event_id', '=', event.connector_event_id)
    .execute();
}
