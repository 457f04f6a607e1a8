import { type RawBuilder, sql } from 'kysely';
import { changeByKey } from '../platform/database/change-by-key.ts';
import type { Db } from '../platform/database/database.ts';
import type { CountedCommit, Tx } from '../platform/database/in-transaction.ts';
import type { EventId } from '../platform/database/tables.generated.ts';
import { type EventPayload, toEventText } from './event-text.ts';

interface EventsToErase {
  publisherId: string;
  /** Lowest event id that is left alone; null for none. */
  endId: string | null;
  /** Condition that the affected events meet, in terms of the event `e`. */
  isSought: RawBuilder<unknown>;
  /** Returns the payload without the person's data, or the same payload. */
  rewrite(payload: EventPayload): EventPayload;
}

interface StoredEvent {
  eventId: EventId;
  event: string;
}

/** Returns the condition that an event contains at least one of the texts as a JSON string. */
export const containsAny = (texts: readonly string[]): RawBuilder<unknown> => sql`
  exists (
    select 1
    from unnest(${texts.map((text) => JSON.stringify(text))}::text[]) as sought (text)
    where strpos(e.event, text) > 0)`;

/**
 * Rewrites a publisher's stored events, and deletes the receivers' responses to them, because these may repeat the event.
 * A later delivery or replay sends the rewritten event.
 * @returns the number of events changed
 */
export const eraseInEvents = (
  db: Db,
  commit: CountedCommit,
  { publisherId, endId, isSought, rewrite }: EventsToErase,
): Promise<number> =>
  changeByKey({
    start: '00000000-0000-0000-0000-000000000000',
    async read(after, limit) {
      const { rows } = await sql<{ event_id: EventId; event: string | null }>`
        select e.event_id, case when ${isSought} then e.event end as event
        from webhook_event e
        where e.publisher_id = ${publisherId} and e.event_id > ${after}::uuid
          and (${endId}::uuid is null or e.event_id < ${endId}::uuid)
        order by e.event_id
        limit ${limit}`.execute(db);
      return rows;
    },
    keyOf: ({ event_id }): string => event_id,
    async change(rows) {
      const rewritten = rows.flatMap(({ event_id, event }) => {
        if (event === null) return [];
        const text = toEventText(rewrite(JSON.parse(event) as EventPayload));
        return text === event ? [] : [{ eventId: event_id, event: text }];
      });
      return rewritten.length === 0 ? 0 : commit((tx) => replaceEvents(tx, publisherId, rewritten));
    },
  });

async function replaceEvents(tx: Tx, publisherId: string, events: readonly StoredEvent[]): Promise<number> {
  const ids = events.map(({ eventId }) => eventId);
  // A worker that is sending one of these events loses it, so it can't store the response. The event is sent again.
  await sql`
    update webhook_delivery
    set worker_id = null
    where publisher_id = ${publisherId} and event_id = any(${ids}::uuid[]) and worker_id is not null`.execute(
    tx,
  );
  await sql`
    update webhook_event e
    set event = n.event
    from unnest(${ids}::uuid[], ${events.map(({ event }) => event)}::text[]) as n (event_id, event)
    where e.publisher_id = ${publisherId} and e.event_id = n.event_id`.execute(tx);
  await sql`
    update webhook_attempt
    set answer = null
    where publisher_id = ${publisherId} and event_id = any(${ids}::uuid[]) and answer is not null`.execute(
    tx,
  );
  return ids.length;
}
