import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId, EventId } from '../../platform/database/tables.generated.ts';
import { isRowId, rowIdFloor } from '../../platform/ids.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';

export interface ReplayOptions {
  /** This event alone, whether or not it was delivered. */
  eventId?: EventId | undefined;
  /** Events from then on. */
  since?: Date | undefined;
  /** To this endpoint alone; else to all that are on and want the event. */
  endpointId?: EndpointId | undefined;
  /** Also what was delivered already. */
  all?: boolean | undefined;
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
 * @throws OperatorError when there is no such publisher, endpoint or event
 */
export async function replayDeliveries(
  db: Db,
  publisherId: string,
  { eventId, since, endpointId, all = false }: ReplayOptions,
): Promise<Replayed> {
  await requirePublisher(db, publisherId);
  await requireEndpoint(db, publisherId, endpointId ?? null);
  if (eventId !== undefined) await requireEvent(db, publisherId, eventId);
  const options = { eventId, since, endpointId, all };
  let replayed = 0;
  let underWay = 0;
  for (let after: EventId | null = null; ; ) {
    const set = await replaySet(db, publisherId, options, after);
    replayed += Number(set.replayed);
    underWay += Number(set.underWay);
    if (set.last === null || set.events < eventsAtOnce) return { replayed, underWay };
    after = set.last;
  }
}

interface ReplayedSet {
  /** The set's last event; null when there was none. */
  last: EventId | null;
  events: bigint;
  replayed: bigint;
  underWay: bigint;
}

async function replaySet(
  db: Db,
  publisherId: string,
  { eventId, since, endpointId, all }: ReplayOptions,
  after: EventId | null,
): Promise<ReplayedSet> {
  const { rows } = await sql<ReplayedSet>`
    with chosen as materialized (
      select event_id, kind, created_at
      from webhook_event
      where publisher_id = ${publisherId}
        and (${eventId ?? null}::uuid is null or event_id = ${eventId ?? null}::uuid)
        and (${since ?? null}::timestamptz is null or created_at >= ${since ?? null})
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
       and case when ${endpointId ?? null}::text is null then c.created_at >= p.created_at
                else p.endpoint_id = ${endpointId ?? null} end
      order by c.event_id, p.endpoint_id
      on conflict (publisher_id, event_id, endpoint_id) do update
        set status = 'Pending', try_count = 0, next_attempt_at = excluded.next_attempt_at, finished_at = null
        where d.worker_id is null and (d.status <> 'Delivered' or ${all || eventId !== undefined})
      returning d.event_id
    )
    select (select max(event_id::text) from chosen) as last, (select count(*) from chosen) as events,
           (select count(*) from replayed) as replayed,
           (select count(*)
            from chosen c
            join webhook_delivery d on d.publisher_id = ${publisherId} and d.event_id = c.event_id
            where d.worker_id is not null
              and (${endpointId ?? null}::text is null or d.endpoint_id = ${endpointId ?? null})) as "underWay"`.execute(
    db,
  );
  const [set] = rows;
  if (set === undefined) throw new Error('a replay returned no count');
  return set;
}

async function requireEndpoint(db: Db, publisherId: string, endpointId: EndpointId | null): Promise<void> {
  if (endpointId === null) return;
  const endpoint = await db
    .selectFrom('webhook_endpoint')
    .select('is_enabled')
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
  if (endpoint === undefined)
    throw new OperatorError(`Publisher ${publisherId} has no webhook endpoint ${endpointId}.`);
  if (!endpoint.is_enabled)
    throw new OperatorError(`The endpoint ${endpointId} is off; switch it on with \`webhooks on\` first.`);
}

async function requireEvent(db: Db, publisherId: string, eventId: EventId): Promise<void> {
  const found =
    isRowId(eventId) &&
    (await db
      .selectFrom('webhook_event')
      .select('event_id')
      .where('publisher_id', '=', publisherId)
      .where('event_id', '=', eventId)
      .executeTakeFirst());
  if (!found)
    throw new OperatorError(
      `Publisher ${publisherId} has no event ${eventId}; events are purged after a while.`,
    );
}
