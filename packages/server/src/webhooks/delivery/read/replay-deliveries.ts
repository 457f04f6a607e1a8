import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import { recordChange } from '../../../audit/record-change.ts';
import type { Db } from '../../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { EndpointId, EventId } from '../../../platform/database/tables.generated.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { requirePublisher } from '../../../publishers/require-publisher.ts';
import { endpointTarget, noSuchEndpoint } from '../../endpoints/endpoint-record.ts';
import { noSuchEvent, requireEventId } from './require-event-id.ts';
import {
  deliveriesWithin,
  isOfKind,
  isReplayed,
  isWithin,
  type Replay,
  spanOf,
  wantedOf,
} from './select-replayed.ts';

export interface Replayed {
  replayed: number;
  /** Number of deliveries skipped because they were being sent. */
  underWay: number;
}

const eventsAtOnce = 10_000;

/** Number of events that a replay names, so that a caller can follow their deliveries. */
export const maxFollowed = 50;

/**
 * Replays events with the same eventId and bytes, and restarts their retry schedules. Without `all`, a time range
 * includes only events that were never delivered, such as those an endpoint missed while it was off. Unless the request
 * names an endpoint, endpoints don't receive events from before they were added. Large replays run in batches, each
 * with its own commit and audit entry.
 * @throws Refusal NotFound when the publisher, endpoint or event doesn't exist; Conflict when the endpoint is off
 */
export async function replayDeliveries(db: Db, actor: Actor, replay: Replay): Promise<Replayed> {
  await requireReplayable(db, replay);
  let replayed = 0;
  let underWay = 0;
  for (let after: EventId | null = null; ; ) {
    const set: ReplayedPart = await replayPart(db, actor, replay, after);
    replayed += set.replayed;
    underWay += set.underWay;
    if (set.next === null) return { replayed, underWay };
    after = set.next;
  }
}

export interface ReplayedPart extends Replayed {
  /** First events of the batch, at most 50, in the order in which they will be sent: oldest first. */
  firstEventIds: EventId[];
  /** Event to continue after; null when no events are left. */
  next: EventId | null;
}

/**
 * Replays one batch of at most 10,000 events in one commit. The caller has called `requireReplayable`.
 * @param after event to continue after; null for the first batch
 */
export async function replayPart(
  db: Db,
  actor: Actor,
  replay: Replay,
  after: EventId | null,
): Promise<ReplayedPart> {
  const { last, events, replayed, underWay, firstEventIds } = await inTransaction(db, async (tx) => {
    const found = await replaySet(tx, replay, after);
    if (found.replayed > 0n) await recordReplay(tx, actor, replay, found);
    return found;
  });
  return {
    replayed: Number(replayed),
    underWay: Number(underWay),
    firstEventIds: firstEventIds ?? [],
    next: events < eventsAtOnce ? null : last,
  };
}

/**
 * @throws Refusal NotFound when the publisher, endpoint or event doesn't exist; Conflict when the endpoint is
 *   off
 */
export async function requireReplayable(db: Db, replay: Replay): Promise<void> {
  const { publisherId, endpointId } = replay;
  await requirePublisher(db, publisherId);
  if (endpointId !== undefined) await requireEndpoint(db, publisherId, endpointId);
  if ('eventId' in replay) await requireEvent(db, publisherId, replay.eventId);
}

const recordReplay = (
  tx: Tx,
  actor: Actor,
  replay: Replay,
  { replayed, last }: ReplayedSet,
): Promise<void> => {
  const { publisherId, endpointId } = replay;
  const target = 'eventId' in replay ? `webhook-event:${replay.eventId}` : `publisher:${publisherId}`;
  return recordChange(tx, actor, {
    publisherId,
    action: 'webhook-delivery.replay',
    target: endpointId === undefined ? target : endpointTarget({ endpointId }),
    after: {
      deliveries: Number(replayed),
      ...('eventId' in replay
        ? { eventId: replay.eventId }
        : {
            since: replay.since,
            ...(replay.until !== undefined && { until: replay.until }),
            ...(replay.kind !== undefined && { kind: replay.kind }),
            all: replay.all,
            ...(replay.failedOnly === true && { failedOnly: true }),
            lastEventId: last,
          }),
    },
  });
};

interface ReplayedSet {
  /** Last event in the batch; null if the batch was empty. */
  last: EventId | null;
  events: bigint;
  replayed: bigint;
  underWay: bigint;
  firstEventIds: EventId[] | null;
}

async function replaySet(tx: Tx, replay: Replay, after: EventId | null): Promise<ReplayedSet> {
  const { publisherId } = replay;
  // Run a publisher's replays one at a time, so that each statement sees whether a delivery is pending, ended or
  // missing.
  await sql`select pg_advisory_xact_lock(hashtextextended('replay ' || ${publisherId}::text, 0))`.execute(tx);
  const span = await spanOf(tx, replay, after, eventsAtOnce);
  const now = await readMoment(tx);
  const isAnyEnd = 'eventId' in replay || replay.all;
  const isOfFailed = !('eventId' in replay) && replay.failedOnly === true;
  const { rows } = await sql<Pick<ReplayedSet, 'replayed' | 'underWay' | 'firstEventIds'>>`
    with ${wantedOf(replay, span)},
    restarted as (
      update webhook_delivery d
      set try_count = 0, next_attempt_at = ${now}
      from wanted w
      where d.publisher_id = ${publisherId} and d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
        and d.worker_id is null and not ${isOfFailed}::boolean
      returning d.event_id
    ),
    ended as (
      delete from webhook_delivery_end d
      using wanted w
      where d.publisher_id = ${publisherId} and d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
        and d.${isWithin(span)} and (d.status = 'Failed' or ${isAnyEnd}::boolean)
      returning d.event_id, d.endpoint_id, d.attempt_count, d.created_at
    ),
    missed as (
      select w.event_id, w.endpoint_id, 0 as attempt_count, w.created_at
      from wanted w
      left join ${deliveriesWithin(publisherId, span)} d on d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
      where d.event_id is null and not ${isOfFailed}::boolean
    ),
    queued as (
      insert into webhook_delivery (publisher_id, endpoint_id, event_id, attempt_count, next_attempt_at, created_at)
      select ${publisherId}, endpoint_id, event_id, attempt_count, ${now}, created_at
      from (select * from ended union all select * from missed) again
      order by event_id, endpoint_id
      on conflict (publisher_id, event_id, endpoint_id) do nothing
      returning event_id
    ),
    resent as (
      select event_id from restarted
      union all
      select event_id from queued
    )
    select (select count(*) from resent) as replayed,
           (select array_agg(f.event_id::text)
            from (select distinct event_id from resent order by event_id limit ${maxFollowed}) f) as "firstEventIds",
           (select count(*)
            from chosen c
            join webhook_delivery d on d.publisher_id = ${publisherId} and d.event_id = c.event_id
            where d.worker_id is not null and ${isOfKind(replay)}
              and (${replay.endpointId ?? null}::text is null or d.endpoint_id = ${replay.endpointId ?? null})) as "underWay"`.execute(
    tx,
  );
  const [set] = rows;
  if (set === undefined) throw new Error('a replay returned no count');
  return { last: span.last, events: span.events, ...set };
}

/**
 * Counts the deliveries that a replay would send now. If there are more than `maxEvents` events, only that many are
 * counted.
 */
export async function countReplay(
  db: Db,
  replay: Replay,
  maxEvents = 10 * eventsAtOnce,
): Promise<{ deliveries: number; isExact: boolean }> {
  await requireReplayable(db, replay);
  const span = await spanOf(db, replay, null, maxEvents + 1);
  const { rows } = await sql<{ deliveries: bigint }>`
    with ${wantedOf(replay, span)}
    select count(*) as deliveries
    from wanted w
    left join ${deliveriesWithin(replay.publisherId, span)} d on d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
    where ${isReplayed(replay)}`.execute(db);
  return { deliveries: Number(rows[0]?.deliveries ?? 0n), isExact: span.events <= BigInt(maxEvents) };
}

async function requireEndpoint(db: Db, publisherId: string, endpointId: EndpointId): Promise<void> {
  const endpoint = await db
    .selectFrom('webhook_endpoint')
    .select('is_enabled')
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
  if (endpoint === undefined) throw noSuchEndpoint({ publisherId, endpointId });
  if (!endpoint.is_enabled) throw new Refusal('Conflict', `Endpoint ${endpointId} is off. Turn it on first.`);
}

async function requireEvent(db: Db, publisherId: string, eventId: EventId): Promise<void> {
  requireEventId(publisherId, eventId);
  const found = await db
    .selectFrom('webhook_event')
    .select('event_id')
    .where('publisher_id', '=', publisherId)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  if (found === undefined) throw noSuchEvent(publisherId, eventId);
}
