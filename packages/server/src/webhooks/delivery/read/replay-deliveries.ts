import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import { recordChange } from '../../../audit/record-change.ts';
import type { Db } from '../../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../../platform/database/in-transaction.ts';
import type { EndpointId, EventId } from '../../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../../platform/ids.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { requirePublisher } from '../../../publishers/require-publisher.ts';
import { endpointTarget, noSuchEndpoint } from '../../endpoints/endpoint-record.ts';
import { noSuchEvent, requireEventId } from './require-event-id.ts';

/** What to send again. */
export type Replay = {
  publisherId: string;
  /** To this endpoint alone; else to all that are on and want the event. */
  endpointId?: EndpointId | undefined;
} & (OfEvent | OfTime);

interface OfEvent {
  /** This event alone, whether or not it was delivered. */
  eventId: EventId;
}

interface OfTime {
  /** Events from then on. */
  since: Date;
  /** Also what was delivered already. */
  all: boolean;
  /** Of what was not delivered only what failed: nothing that an endpoint missed, and nothing that is still tried. */
  failedOnly?: boolean | undefined;
}

export interface Replayed {
  /** Deliveries that are on their way now. */
  replayed: number;
  /** Those that were being sent at this moment, and are left to that attempt. */
  underWay: number;
}

const eventsAtOnce = 10_000;

/**
 * Sends events again, with the same eventId and bytes; their retry schedule starts anew. Without `all`, of a span
 * of time only what was never delivered, which includes what an endpoint missed while it was off.
 * An endpoint that is not named is sent nothing of the time before it was added.
 * Of very many events it is a set a commit, each with an entry of the audit log.
 * @throws Refusal NotFound when there is no such publisher, endpoint or event; Conflict when the endpoint is off
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
  /** After which event the next part begins; null when nothing is left. */
  next: EventId | null;
}

/**
 * The first of these commits, or the one after an event: 10,000 events at most.
 * @throws Refusal as `replayDeliveries`, which asks beforehand
 */
export async function replayPart(
  db: Db,
  actor: Actor,
  replay: Replay,
  after: EventId | null,
): Promise<ReplayedPart> {
  const { last, events, replayed, underWay } = await inTransaction(db, async (tx) => {
    const found = await replaySet(tx, replay, after);
    if (found.replayed > 0n) await recordReplay(tx, actor, replay, found);
    return found;
  });
  return {
    replayed: Number(replayed),
    underWay: Number(underWay),
    next: events < eventsAtOnce ? null : last,
  };
}

/** @throws Refusal NotFound when there is no such publisher, endpoint or event; Conflict when the endpoint is off */
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
            all: replay.all,
            ...(replay.failedOnly === true && { failedOnly: true }),
            lastEventId: last,
          }),
    },
  });
};

interface ReplayedSet {
  /** The set's last event; null when there was none. */
  last: EventId | null;
  events: bigint;
  replayed: bigint;
  underWay: bigint;
}

/** Events that may be sent again, in their order, and after one of them. */
function chosenEvents(replay: Replay, after: EventId | null, most: number): RawBuilder<unknown> {
  const { publisherId } = replay;
  const { eventId, since } =
    'eventId' in replay ? { eventId: replay.eventId, since: null } : { ...replay, eventId: null };
  return sql`
    select event_id, kind, created_at
    from webhook_event
    where publisher_id = ${publisherId}
      and (${eventId}::uuid is null or event_id = ${eventId}::uuid)
      and (${since}::timestamptz is null or created_at >= ${since})
      and event_id >= ${rowIdFloor(since ?? new Date(0))}::uuid
      and (${after}::uuid is null or event_id > ${after}::uuid)
    order by event_id
    limit ${most}`;
}

/** The endpoints `p` to which an event `c` is sent again. */
const wantedBy = ({ publisherId, endpointId }: Replay): RawBuilder<unknown> => sql`
  p.publisher_id = ${publisherId} and p.is_enabled and c.kind = any(p.event_kinds)
  and case when ${endpointId ?? null}::text is null then c.created_at >= p.created_at
           else p.endpoint_id = ${endpointId ?? null} end`;

/** Whether a delivery `d`, which may be missing, is sent again. */
const isSentAgain = (replay: Replay): RawBuilder<unknown> => {
  if ('eventId' in replay || replay.all) return sql`d.worker_id is null`;
  if (replay.failedOnly === true) return sql`d.status = 'Failed'`;
  return sql`(d.worker_id is null and coalesce(d.status <> 'Delivered', true))`;
};

async function replaySet(tx: Tx, replay: Replay, after: EventId | null): Promise<ReplayedSet> {
  const { publisherId } = replay;
  const endpointId = replay.endpointId ?? null;
  const { rows } = await sql<ReplayedSet>`
    with chosen as materialized (${chosenEvents(replay, after, eventsAtOnce)}),
    replayed as (
      insert into webhook_delivery as d (publisher_id, endpoint_id, event_id, status, next_attempt_at, created_at)
      select ${publisherId}, p.endpoint_id, c.event_id, 'Pending', now(), c.created_at
      from chosen c
      join webhook_endpoint p on ${wantedBy(replay)}
      ${onlyFailed(replay)}
      order by c.event_id, p.endpoint_id
      on conflict (publisher_id, event_id, endpoint_id) do update
        set status = 'Pending', try_count = 0, next_attempt_at = excluded.next_attempt_at, finished_at = null
        where ${isSentAgain(replay)}
      returning d.event_id
    )
    select (select max(event_id::text) from chosen) as last, (select count(*) from chosen) as events,
           (select count(*) from replayed) as replayed,
           (select count(*)
            from chosen c
            join webhook_delivery d on d.publisher_id = ${publisherId} and d.event_id = c.event_id
            where d.worker_id is not null
              and (${endpointId}::text is null or d.endpoint_id = ${endpointId})) as "underWay"`.execute(tx);
  const [set] = rows;
  if (set === undefined) throw new Error('a replay returned no count');
  return set;
}

const onlyFailed = (replay: Replay): RawBuilder<unknown> =>
  'eventId' in replay || replay.failedOnly !== true
    ? sql``
    : sql`
      join webhook_delivery failed
        on failed.publisher_id = ${replay.publisherId} and failed.event_id = c.event_id
       and failed.endpoint_id = p.endpoint_id and failed.status = 'Failed'`;

/** How many deliveries a replay would send now: exact below `most` events, and how many of the first ones otherwise. */
export async function countReplay(
  db: Db,
  replay: Replay,
  most = 10 * eventsAtOnce,
): Promise<{ deliveries: number; isExact: boolean }> {
  await requireReplayable(db, replay);
  const { rows } = await sql<{ events: bigint; deliveries: bigint }>`
    with chosen as materialized (${chosenEvents(replay, null, most + 1)})
    select (select count(*) from chosen) as events, count(*) as deliveries
    from chosen c
    join webhook_endpoint p on ${wantedBy(replay)}
    left join webhook_delivery d
      on d.publisher_id = ${replay.publisherId} and d.event_id = c.event_id and d.endpoint_id = p.endpoint_id
    where ${isSentAgain(replay)}`.execute(db);
  const { events = 0n, deliveries = 0n } = rows[0] ?? {};
  return { deliveries: Number(deliveries), isExact: events <= BigInt(most) };
}

async function requireEndpoint(db: Db, publisherId: string, endpointId: EndpointId): Promise<void> {
  const endpoint = await db
    .selectFrom('webhook_endpoint')
    .select('is_enabled')
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
  if (endpoint === undefined) throw noSuchEndpoint({ publisherId, endpointId });
  if (!endpoint.is_enabled)
    throw new Refusal('Conflict', `The endpoint ${endpointId} is off; switch it on first.`);
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
