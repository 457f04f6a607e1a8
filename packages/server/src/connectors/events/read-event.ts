import { sql } from 'kysely';
import { readAttributions } from '../../attributions/read-attributions.ts';
import type { Db } from '../../platform/database/database.ts';
import { isRowId } from '../../platform/ids.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { Movement } from '../movement.ts';
import { bodyPlace } from './event-record.ts';
import { type ConnectorEvent, type EventRow, eventColumns, toEvent } from './list-events.ts';
import { fromReading, problemIn } from './reading.ts';

export interface EventDetail extends ConnectorEvent {
  /** Body that arrived; null once it is not stored anymore. */
  body: string | null;
  headers: { name: string; value: string }[];
  /** Values that were read, by name. */
  reading: { name: string; value: string }[];
  /** Reason the body could not be read; null if it was. */
  problem: string | null;
  /** Rows of the purchase that the event recorded or changed. */
  rows: RecordedRow[];
}

export interface RecordedRow {
  code: string;
  description: string;
  status: string;
  subtotalMinor: bigint;
  currency: string;
  skuId: string | null;
  /** Null until the row is posted, and for test rows. */
  shareMinor: bigint | null;
  sharePercent: number | null;
  refundedMinor: bigint;
}

/** Reads an event: what arrived, what was read, and what became of it. @throws Refusal NotFound */
export async function readEvent(
  { db, sealer }: { db: Db; sealer: Sealer },
  { publisherId, connectorId, eventId }: { publisherId: string; connectorId: string; eventId: string },
): Promise<EventDetail> {
  const { rows } = isRowId(eventId)
    ? await sql<EventRow & { reading: string | null; headers: string | null; body: string | null }>`
        select ${eventColumns}, reading, headers, body
        from connector_event
        where publisher_id = ${publisherId} and connector_id = ${connectorId} and connector_event_id = ${eventId}::uuid`.execute(
        db,
      )
    : { rows: [] };
  const [row] = rows;
  if (row === undefined) throw new Refusal('NotFound', `Connector ${connectorId} has no event ${eventId}.`);
  const event = toEvent(row);
  const movement = fromReading(row.reading);
  return {
    ...event,
    body:
      row.body === null
        ? null
        : openBody(sealer, publisherId, { eventId: event.eventId, body: row.body }).toString('utf8'),
    headers: Object.entries(JSON.parse(row.headers ?? '{}') as Record<string, string>).map(
      ([name, value]) => ({
        name,
        value,
      }),
    ),
    reading: movement === null ? [] : shown(movement),
    problem: problemIn(row.reading),
    rows: event.transactionId === null ? [] : await readRows(db, publisherId, event.transactionId),
  };
}

/** Opens the bytes that arrived. */
export const openBody = (
  sealer: Sealer,
  publisherId: string,
  { eventId, body }: { eventId: string; body: string },
): Buffer => Buffer.from(sealer.openUncached(body, bodyPlace(publisherId, eventId)), 'base64');

/** Lists the values of a movement by name. */
function shown(movement: Movement): { name: string; value: string }[] {
  const list = (value: unknown, path: string): { name: string; value: string }[] => {
    if (value === null || value === undefined) return [];
    if (typeof value !== 'object') return [{ name: path, value: String(value) }];
    return Object.entries(value).flatMap(([name, each]) =>
      list(each, path === '' ? name : `${path}.${name}`),
    );
  };
  return list(movement, '').slice(0, 200);
}

const maxRows = 100;

async function readRows(db: Db, publisherId: string, transactionId: string): Promise<RecordedRow[]> {
  const keys = sql`
    select attribution_id
    from attribution
    where publisher_id = ${publisherId} and transaction_id = ${transactionId}
    order by attribution_id
    limit ${maxRows}`;
  const rows = await readAttributions(db, publisherId, keys, sql`a.attribution_id`);
  return rows.map((row) => ({
    code: row.code,
    description: row.description,
    status: row.status,
    subtotalMinor: row.subtotalMinor,
    currency: row.currency,
    skuId: row.skuId,
    shareMinor: row.shareMinor,
    sharePercent: row.shareMillionths === null ? null : millionthsToPercent(row.shareMillionths),
    refundedMinor: row.refundedMinor,
  }));
}
