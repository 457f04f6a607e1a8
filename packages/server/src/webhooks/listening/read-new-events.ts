import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { EventId } from '../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../platform/ids.ts';
import type { Envelope } from '../delivery/send/signature.ts';

/**
 * Events become visible when they are committed, which may be after later ones: so each look goes back a while
 * before the one before it, however long work on them took.
 */
const lookBackMs = 60_000;
const eventsAtOnce = 500;

/**
 * Looks for a publisher's events since a moment, each time for those that it has not found yet.
 * @returns one look; of many new events the first ones
 */
export function newEvents(
  db: Db,
  publisherId: string,
  kinds: readonly string[],
  since: Date,
): (now: Date) => Promise<Envelope[]> {
  const seen = new Map<EventId, number>();
  let lookedAt = since;
  return async (now) => {
    const from = new Date(Math.max(since.getTime(), lookedAt.getTime() - lookBackMs));
    lookedAt = now;
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
