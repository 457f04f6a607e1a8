import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { EndpointId, EventId } from '../../../platform/database/tables.generated.ts';
import type { DuePlace } from './take-deliveries.ts';

export interface WaitingEndpoint {
  publisherId: string;
  endpointId: EndpointId;
  from: DuePlace;
}

interface WaitingRow {
  publisher_id: string;
  endpoint_id: EndpointId;
  next_attempt_at: Date;
  event_id: EventId;
}

interface ReadOptions {
  limit: number;
  /**
   * True if publishers are spread over several nodes. A recursive query can't run across nodes, so each node
   * reads and groups all of its pending deliveries (docs/adr/0043-growing.md).
   */
  isSpread: boolean;
}

/** Returns the CTE `waiting` with the first pending delivery for each endpoint whose ids are greater than `after`. */
const withWaiting = (after: WaitingEndpoint | null, isSpread: boolean): RawBuilder<unknown> => {
  const first =
    after === null
      ? sql`true`
      : sql`(d.publisher_id, d.endpoint_id) > (${after.publisherId}, ${after.endpointId})`;
  return isSpread ? grouped(first) : skipScan(first);
};

/**
 * Groups the pending deliveries by endpoint. The zero event id is a position before any deliveries due at the same
 * time.
 */
const grouped = (first: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with waiting as (
    select d.publisher_id, d.endpoint_id, min(d.next_attempt_at) as next_attempt_at, '00000000-0000-0000-0000-000000000000'::uuid as event_id
    from webhook_delivery d
    where d.worker_id is null and ${first}
    group by d.publisher_id, d.endpoint_id
  )`;

/**
 * Returns the `order by` clause for the grouped form. The skip scan is already ordered, and sorting it would mean
 * reading all of its rows.
 */
const inOrder = (isSpread: boolean): RawBuilder<unknown> =>
  isSpread ? sql`order by publisher_id, endpoint_id` : sql``;

/**
 * Skips through the index from endpoint to endpoint, so that the scan steps over an endpoint's whole backlog at once.
 */
const skipScan = (first: RawBuilder<unknown>): RawBuilder<unknown> => {
  const next = (condition: RawBuilder<unknown>) => sql`
    select d.publisher_id, d.endpoint_id, d.next_attempt_at, d.event_id
    from webhook_delivery d
    where d.worker_id is null and ${condition}
    order by d.publisher_id, d.endpoint_id, d.next_attempt_at, d.event_id
    limit 1`;
  return sql`
    with recursive waiting as (
      (${next(first)})
      union all
      select n.publisher_id, n.endpoint_id, n.next_attempt_at, n.event_id
      from waiting w
      cross join lateral (${next(sql`(d.publisher_id, d.endpoint_id) > (w.publisher_id, w.endpoint_id)`)}) n
    )`;
};

/**
 * Returns a condition that is true if any delivery is due. It is also true if the number of endpoints reaches the
 * limit, because endpoints beyond the limit aren't read here. A take reads all of them.
 */
export const areDeliveriesDue = (now: Date, { limit, isSpread }: ReadOptions): RawBuilder<unknown> => sql`(
  ${withWaiting(null, isSpread)}
  select coalesce(bool_or(next_attempt_at <= ${now}) or count(*) = ${limit}::int, false)
  from (select next_attempt_at from waiting ${inOrder(isSpread)} limit ${limit}) w)`;

/**
 * Returns a scalar subquery for the earliest due time among deliveries that no worker holds. Considers only
 * the first endpoints, up to the limit.
 */
export const oldestDueAt = ({ limit, isSpread }: ReadOptions): RawBuilder<unknown> => sql`(
  ${withWaiting(null, isSpread)}
  select min(next_attempt_at)
  from (select next_attempt_at from waiting ${inOrder(isSpread)} limit ${limit}) w)`;

/**
 * Reads endpoints with pending deliveries, due or not, ordered by publisher and endpoint.
 * @param after endpoint to continue after; null to start with the first endpoint
 */
export async function waitingEndpoints(
  db: Db,
  after: WaitingEndpoint | null,
  { limit, isSpread }: ReadOptions,
): Promise<WaitingEndpoint[]> {
  const { rows } = await sql<WaitingRow>`
    ${withWaiting(after, isSpread)}
    select publisher_id, endpoint_id, next_attempt_at, event_id
    from waiting
    ${inOrder(isSpread)}
    limit ${limit}`.execute(db);
  return rows.map((row) => ({
    publisherId: row.publisher_id,
    endpointId: row.endpoint_id,
    from: { dueAt: row.next_attempt_at, eventId: row.event_id },
  }));
}
