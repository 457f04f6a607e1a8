import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { EndpointId, EventId } from '../../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../../platform/ids.ts';
import type { EventKind } from '../../event-kinds.ts';
import { deliveriesOf } from './deliveries-of.ts';

export type Replay = {
  publisherId: string;
  /** Endpoint to replay to. Defaults to all enabled endpoints that receive the event. */
  endpointId?: EndpointId | undefined;
} & (ReplayOfEvent | ReplayOfRange);

interface ReplayOfEvent {
  /** Event to replay, even if it was already delivered. */
  eventId: EventId;
}

interface ReplayOfRange {
  since: Date;
  /** End (exclusive); if absent, the current time. */
  until?: Date | undefined;
  /** Only events of this kind; absent for all kinds. */
  kind?: EventKind | undefined;
  /** True to also replay events that have already been delivered. */
  all: boolean;
  /** True to replay only failed deliveries, and not pending deliveries or events that an endpoint missed. */
  failedOnly?: boolean | undefined;
}

/** Longest time between an event's `created_at`, the start of its transaction, and the time in its id. */
const idDelayMs = 3_600_000;

export interface Span {
  first: EventId | null;
  last: EventId | null;
  events: bigint;
}

/** Reads the next range of events to replay, starting after a given event and up to a limit. */
export async function spanOf(
  db: Db | Tx,
  replay: Replay,
  after: EventId | null,
  maxEvents: number,
): Promise<Span> {
  const { rows } = await sql<Span>`
    select min(c.event_id::text) as first, max(c.event_id::text) as last, count(*) as events
    from (
      select event_id
      from webhook_event
      where publisher_id = ${replay.publisherId} and ${isChosen(replay)}
        and (${after}::uuid is null or event_id > ${after}::uuid)
      order by event_id
      limit ${maxEvents}
    ) c`.execute(db);
  return rows[0] ?? { first: null, last: null, events: 0n };
}

const isChosen = (replay: Replay): RawBuilder<unknown> =>
  'eventId' in replay
    ? sql`event_id = ${replay.eventId}::uuid`
    : sql`(event_id >= ${rowIdFloor(replay.since)}::uuid and created_at >= ${replay.since} ${isBefore(replay.until)})`;

const isBefore = (until: Date | undefined): RawBuilder<unknown> =>
  until === undefined
    ? sql``
    : sql`and event_id < ${rowIdFloor(new Date(until.getTime() + idDelayMs))}::uuid and created_at < ${until}`;

/** Returns the CTEs `chosen` (events in a range) and `wanted` (the endpoints to replay them to). */
export const wantedOf = (replay: Replay, span: Span): RawBuilder<unknown> => sql`
  chosen as materialized (
    select event_id, kind, created_at
    from webhook_event
    where publisher_id = ${replay.publisherId} and ${isChosen(replay)} and ${isWithin(span)}
  ),
  wanted as materialized (
    select c.event_id, c.created_at, p.endpoint_id
    from chosen c
    join webhook_endpoint p on ${wantedBy(replay)}
  )`;

/**
 * Returns a condition for the events in a range. It is repeated for each partitioned table, so that only the days in
 * the range are read.
 */
export const isWithin = ({ first, last }: Span): RawBuilder<unknown> =>
  sql`event_id between ${first}::uuid and ${last}::uuid`;

export const deliveriesWithin = (publisherId: string, span: Span): RawBuilder<unknown> =>
  sql`(select * from ${deliveriesOf(publisherId)} each where ${isWithin(span)})`;

/**
 * Returns a condition for the kind of an event `c`. It isn't part of `isChosen`, because a search for the next events of a
 * rare kind would read the whole range at once.
 */
export const isOfKind = (replay: Replay): RawBuilder<unknown> =>
  'eventId' in replay || replay.kind === undefined ? sql`true` : sql`c.kind = ${replay.kind}`;

/** Returns a condition that is true if an event `c` should be replayed to an endpoint `p`. */
const wantedBy = (replay: Replay): RawBuilder<unknown> => sql`
  p.publisher_id = ${replay.publisherId} and p.is_enabled and c.kind = any(p.event_kinds) and ${isOfKind(replay)}
  and case when ${replay.endpointId ?? null}::text is null then c.created_at >= p.created_at
           else p.endpoint_id = ${replay.endpointId ?? null} end`;

/**
 * Returns a condition that is true if a delivery `d` should be replayed. If there is no delivery, all columns of `d`
 * are null.
 */
export const isReplayed = (replay: Replay): RawBuilder<unknown> => {
  if ('eventId' in replay || replay.all) return sql`d.worker_id is null`;
  if (replay.failedOnly === true) return sql`d.status = 'Failed'`;
  return sql`(d.worker_id is null and coalesce(d.status <> 'Delivered', true))`;
};
