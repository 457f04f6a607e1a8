import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { EndpointId, EventId } from '../../../platform/database/tables.generated.ts';
import type { DuePlace } from './take-deliveries.ts';

/** An endpoint with deliveries that wait. */
export interface WaitingEndpoint {
  publisherId: string;
  endpointId: EndpointId;
  /** Where the first of them stands. */
  from: DuePlace;
}

interface WaitingRow {
  publisher_id: string;
  endpoint_id: EndpointId;
  next_attempt_at: Date;
  event_id: EventId;
}

/** How to look. */
interface Looking {
  /** The most endpoints to look at. */
  limit: number;
  /**
   * Whether publishers lie on several nodes. A node takes no recursion over all of them: each adds up what waits with it,
   * and reads all of that (docs/adr/0043-growing.md).
   */
  isSpread: boolean;
}

/** The first delivery of each endpoint after `after`, as the relation `waiting`. */
const withWaiting = (after: WaitingEndpoint | null, isSpread: boolean): RawBuilder<unknown> => {
  const first =
    after === null
      ? sql`true`
      : sql`(d.publisher_id, d.endpoint_id) > (${after.publisherId}, ${after.endpointId})`;
  return isSpread ? addedUp(first) : skippedThrough(first);
};

/** Of those due first, one that is no later than any: it is where they begin. */
const addedUp = (first: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with waiting as (
    select d.publisher_id, d.endpoint_id, min(d.next_attempt_at) as next_attempt_at, '00000000-0000-0000-0000-000000000000'::uuid as event_id
    from webhook_delivery d
    where d.worker_id is null and ${first}
    group by d.publisher_id, d.endpoint_id
  )`;

/** What is skipped through is in order, and is not to be sorted: that would read all of it. */
const inOrder = (isSpread: boolean): RawBuilder<unknown> =>
  isSpread ? sql`order by publisher_id, endpoint_id` : sql``;

/** It goes through the index from one endpoint to the next, so a backlog of one is a single step. */
const skippedThrough = (first: RawBuilder<unknown>): RawBuilder<unknown> => {
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

/** Whether a delivery is due, as a condition. With more endpoints than the limit it is true, and the taker looks at all. */
export const areDeliveriesDue = (now: Date, { limit, isSpread }: Looking): RawBuilder<unknown> => sql`(
  ${withWaiting(null, isSpread)}
  select coalesce(bool_or(next_attempt_at <= ${now}) or count(*) = ${limit}::int, false)
  from (select next_attempt_at from waiting ${inOrder(isSpread)} limit ${limit}) w)`;

/** When the oldest delivery that nobody has taken became due, or will, among the first endpoints: a scalar. */
export const oldestDueAt = ({ limit, isSpread }: Looking): RawBuilder<unknown> => sql`(
  ${withWaiting(null, isSpread)}
  select min(next_attempt_at)
  from (select next_attempt_at from waiting ${inOrder(isSpread)} limit ${limit}) w)`;

/**
 * Endpoints with deliveries that wait, due or not, in the order of publisher and endpoint.
 * @param after the endpoint to go on after; null from the start
 */
export async function waitingEndpoints(
  db: Db,
  after: WaitingEndpoint | null,
  { limit, isSpread }: Looking,
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
