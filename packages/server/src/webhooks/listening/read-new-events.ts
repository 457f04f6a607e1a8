import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { EventId } from '../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../platform/ids.ts';
import type { Envelope } from '../delivery/send/signature.ts';

/** Overlap between two reads. An event becomes visible when it is committed, possibly after newer events. */
const overlapMs = 60_000;
const eventsAtOnce = 500;

/**
 * Follows a publisher's events from a start time.
 * @returns a function that reads up to 500 events it hasn't returned yet
 */
export function newEvents(
  db: Db,
  publisherId: string,
  kinds: readonly string[],
  since: Date,
): (now: Date) => Promise<Envelope[]> {
  const seen = new Map<EventId, number>();
  let readAt = since;
  return async (now) => {
    const from = new Date(Math.max(since.getTime(), readAt.getTime() - overlapMs));
    readAt = now;
    for (const [eventId, atMs] of seen) if (atMs < from.getTime()) seen.delete(eventId);
    const { rows } = await sql<Envelope>`
      select event_id as "eventId", created_at as "createdAt", kind, event
      from webhook_event
      where publisher_id = ${publisherId} and event_id >= ${rowIdFloor(from)}::uuid
        and created_at >= ${from} and kind = any(${kinds}::text[])
        and not exists (select 1 from unnest(${[...seen.keys()]}::uuid[]) as s (id) where s.id = event_id)
      order by event_id
      limit ${eventsAtOnce}`.execute(db);
    for (const { eventId, createdAt } of rows) seen.set(eventId, createdAt.getTime());
    return rows;
  };
}
