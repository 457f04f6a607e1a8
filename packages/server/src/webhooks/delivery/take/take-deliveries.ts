import type { NamedStatements } from '../../../platform/database/connections/named-statements.ts';
import type { EndpointId, EventId, WorkerId } from '../../../platform/database/tables.generated.ts';
import { toEventId } from '../../../platform/ids.ts';
import type { StoredSecrets } from '../../endpoints/secrets.ts';
import type { SigningSecrets } from '../send/signature.ts';

/** Position among an endpoint's deliveries, which are sorted by due time and then event id. */
export interface DuePlace {
  dueAt: Date;
  eventId: EventId;
}

export const beginningOf = (dueAt: Date): DuePlace => ({
  dueAt,
  eventId: toEventId('00000000-0000-0000-0000-000000000000'),
});

/** Endpoint when its deliveries were taken, shared by the deliveries of one take. */
export interface TakenEndpoint extends StoredSecrets {
  url: string;
  failingSince: Date | null;
  /** Set by the first attempt; null before it, and during a rotation. */
  opened: SigningSecrets | null;
}

/** Delivery taken by this worker, with everything needed to send it. */
export interface TakenDelivery extends DuePlace {
  publisherId: string;
  endpointId: EndpointId;
  endpoint: TakenEndpoint;
  /** Number of attempts since the last replay. */
  tries: number;
  kind: string;
  createdAt: Date;
  event: string;
}

/**
 * Possible numbers of deliveries to take for an endpoint in one statement. Each has its own statement (see
 * `statement`).
 */
export const takeSizes = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1] as const;
export type TakeSize = (typeof takeSizes)[number];

/** Converts a timestamp to a number, which the driver reads ten times faster than a date. */
const inMs = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;

const endpointFields = ['url', 'secret', 'next_secret', 'rotation_started_at', 'failing_since'] as const;
const endpointColumns = endpointFields.join(', ');
/** Columns of the endpoint, only for the first delivery: the rest of the take has the same. */
const endpointOfFirst = endpointFields
  .map((column) => `case when place = 1 then ${column} end as ${column}`)
  .join(', ');

/**
 * Returns the statement that takes due deliveries. It doesn't wait for its commit to reach the disk: if a database
 * crash loses the commit, the deliveries are still due and are resent with the same eventId. The limit is a literal,
 * and so is the endpoint if the limit is more than one, because the planner would read the whole table if it had to
 * guess these values. If the take is for one endpoint, its URL and secrets are returned with the first delivery only.
 */
const statement = (size: TakeSize, direction: 'asc' | 'desc'): string => `
  with unhurried as materialized (select set_config('synchronous_commit', 'off', true)),
  due as materialized (
    select d.endpoint_id, d.event_id
    from ${size === 1 ? 'unnest($2::text[])' : '(select ($2::text[])[1])'} as w (endpoint_id)
    cross join lateral (
      select endpoint_id, event_id
      from webhook_delivery
      where publisher_id = $1 and endpoint_id = w.endpoint_id and worker_id is null
        and (next_attempt_at, event_id) >= ($5, $6) and next_attempt_at <= $3
      order by next_attempt_at ${direction}, event_id ${direction}
      limit ${size}
      for update skip locked
    ) d
  ),
  taken as (
    update webhook_delivery d
    set worker_id = $4
    from due, unhurried
    where d.publisher_id = $1 and d.endpoint_id = due.endpoint_id and d.event_id = due.event_id
    returning d.endpoint_id, d.event_id, d.try_count, d.next_attempt_at
  )
  select endpoint_id, event_id, try_count, due_ms, kind, created_ms, event, ${size === 1 ? endpointColumns : endpointOfFirst}
  from (
    select t.endpoint_id, t.event_id, t.try_count, ${inMs('t.next_attempt_at')} as due_ms, e.kind, ${inMs('e.created_at')} as created_ms, e.event,
           p.url, p.secret, p.next_secret, p.rotation_started_at, p.failing_since
           ${size === 1 ? '' : ', row_number() over (order by t.event_id) as place'}
    from taken t
    join webhook_event e on e.publisher_id = $1 and e.event_id = t.event_id
    left join webhook_endpoint p on p.publisher_id = $1 and p.endpoint_id = t.endpoint_id and p.is_enabled
  ) each
  order by event_id`;
const named = (size: TakeSize, first: 'oldest' | 'newest') => ({
  name: `take-${first}-${size}`,
  text: statement(size, first === 'oldest' ? 'asc' : 'desc'),
});
const takes = {
  oldest: new Map(takeSizes.map((size) => [size, named(size, 'oldest')])),
  newest: new Map(takeSizes.map((size) => [size, named(size, 'newest')])),
};

type TakenRow = Omit<StoredSecrets, 'secret'> & {
  endpoint_id: EndpointId;
  event_id: EventId;
  try_count: number;
  due_ms: number;
  kind: string;
  created_ms: number;
  event: string;
  /** Null if the endpoint is off or was removed. */
  url: string | null;
  secret: string | null;
  failing_since: Date | null;
};

export interface Wanted {
  publisherId: string;
  /** One endpoint, or any number of endpoints when `size` is 1. */
  endpointIds: readonly EndpointId[];
  /** Number of deliveries per endpoint. */
  size: TakeSize;
  /**
   * Start position. Earlier deliveries have already been taken, so their index entries don't have to be scanned again.
   */
  from: DuePlace;
  now: Date;
  /** Deliveries to take first. Alternating between the two orders lets new events bypass a backlog. */
  first: 'oldest' | 'newest';
}

/**
 * Takes deliveries for this worker. Deliveries to an endpoint that is off or was removed are marked as
 * failed.
 * @returns the deliveries to send, oldest first
 */
export async function takeDeliveries(
  statements: NamedStatements,
  workerId: WorkerId,
  { publisherId, endpointIds, size, from, now, first }: Wanted,
): Promise<TakenDelivery[]> {
  const { name, text } = takes[first].get(size) ?? named(size, first);
  const rows = await statements.query<TakenRow>(name, text, [
    publisherId,
    endpointIds,
    now,
    workerId,
    from.dueAt,
    from.eventId,
  ]);
  const [head] = rows;
  if (head === undefined) return [];
  const shared = readEndpoint(head);
  const taken: TakenDelivery[] = [];
  const undeliverable: TakenRow[] = [];
  for (const row of rows) {
    const endpoint = size === 1 ? readEndpoint(row) : shared;
    if (endpoint === null) undeliverable.push(row);
    else
      taken.push({
        publisherId,
        endpointId: row.endpoint_id,
        endpoint,
        eventId: row.event_id,
        tries: row.try_count,
        dueAt: new Date(row.due_ms),
        kind: row.kind,
        createdAt: new Date(Math.round(row.created_ms)), // the database stores whole milliseconds
        event: row.event,
      });
  }
  if (undeliverable.length > 0) await failDeliveries(statements, workerId, publisherId, undeliverable);
  return taken;
}

const readEndpoint = ({ url, secret, ...row }: TakenRow): TakenEndpoint | null =>
  url === null || secret === null
    ? null
    : {
        url,
        secret,
        next_secret: row.next_secret,
        rotation_started_at: row.rotation_started_at,
        failingSince: row.failing_since,
        opened: null,
      };

// These endpoints' other pending deliveries also fail, in batches, unless the endpoint has since been switched on.
const fail = `
  with others as materialized (
    select d.endpoint_id, d.event_id
    from (select distinct endpoint_id from unnest($3::text[]) as f (endpoint_id)) f
    cross join lateral (
      select endpoint_id, event_id
      from webhook_delivery
      where publisher_id = $1 and endpoint_id = f.endpoint_id and worker_id is null
        and not exists (
          select 1 from webhook_endpoint p where p.publisher_id = $1 and p.endpoint_id = f.endpoint_id and p.is_enabled
        )
      limit 1000
      for update skip locked
    ) d
  ),
  gone as (
    delete from webhook_delivery d
    using (
      select endpoint_id, event_id from unnest($3::text[], $4::uuid[]) as f (endpoint_id, event_id)
      union
      select endpoint_id, event_id from others
    ) f
    where d.publisher_id = $1 and d.endpoint_id = f.endpoint_id and d.event_id = f.event_id
      and (d.worker_id is null or d.worker_id = $2)
    returning d.endpoint_id, d.event_id, d.attempt_count, d.try_count, d.created_at
  )
  insert into webhook_delivery_end (publisher_id, endpoint_id, event_id, status, attempt_count, try_count, created_at, finished_at)
  select $1, endpoint_id, event_id, 'Failed', attempt_count, try_count, created_at, now()
  from gone`;

async function failDeliveries(
  statements: NamedStatements,
  workerId: WorkerId,
  publisherId: string,
  rows: readonly Pick<TakenRow, 'endpoint_id' | 'event_id'>[],
): Promise<void> {
  const endpointIds = rows.map((row) => row.endpoint_id);
  const eventIds = rows.map((row) => row.event_id);
  await statements.query('fail-deliveries', fail, [publisherId, workerId, endpointIds, eventIds]);
}
