import { sql } from 'kysely';
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
  const { publisherId, endpointId } = replay;
  await requirePublisher(db, publisherId);
  if (endpointId !== undefined) await requireEndpoint(db, publisherId, endpointId);
  if ('eventId' in replay) await requireEvent(db, publisherId, replay.eventId);
  let replayed = 0;
  let underWay = 0;
  for (let after: EventId | null = null; ; ) {
    const set: ReplayedSet = await inTransaction(db, async (tx) => {
      const found = await replaySet(tx, replay, after);
      if (found.replayed > 0n) await recordReplay(tx, actor, replay, found);
      return found;
    });
    replayed += Number(set.replayed);
    underWay += Number(set.underWay);
    if (set.last === null || set.events < eventsAtOnce) return { replayed, underWay };
    after = set.last;
  }
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
        : { since: replay.since, all: replay.all, lastEventId: last }),
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

async function replaySet(tx: Tx, replay: Replay, after: EventId | null): Promise<ReplayedSet> {
  const { publisherId, endpointId = null } = replay;
  const { eventId, since, all } =
    'eventId' in replay ? { eventId: replay.eventId, since: null, all: true } : { ...replay, eventId: null };
  const { rows } = await sql<ReplayedSet>`
    with chosen as materialized (
      select event_id, kind, created_at
      from webhook_event
      where publisher_id = ${publisherId}
        and (${eventId}::uuid is null or event_id = ${eventId}::uuid)
        and (${since}::timestamptz is null or created_at >= ${since})
        and event_id >= ${rowIdFloor(since ?? new Date(0))}::uuid
        and (${after}::uuid is null or event_id > ${after}::uuid)
      order by event_id
      limit ${eventsAtOnce}
    ),
    replayed as (
      insert into webhook_delivery as d (publisher_id, endpoint_id, event_id, status, next_attempt_at, created_at)
      select ${publisherId}, p.endpoint_id, c.event_id, 'Pending', now(), c.created_at
      from chosen c
      join webhook_endpoint p
        on p.publisher_id = ${publisherId} and p.is_enabled and c.kind = any(p.event_kinds)
       and case when ${endpointId}::text is null then c.created_at >= p.created_at
                else p.endpoint_id = ${endpointId} end
      order by c.event_id, p.endpoint_id
      on conflict (publisher_id, event_id, endpoint_id) do update
        set status = 'Pending', try_count = 0, next_attempt_at = excluded.next_attempt_at, finished_at = null
        where d.worker_id is null and (d.status <> 'Delivered' or ${all})
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
