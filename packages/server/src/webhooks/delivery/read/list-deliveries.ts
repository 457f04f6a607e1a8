import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { EndpointId, EventId } from '../../../platform/database/tables.generated.ts';
import type { Page, PageKey, Pages } from '../../../platform/page.ts';
import { requirePublisher } from '../../../publishers/require-publisher.ts';
import { readStoredKind } from '../../event-kinds.ts';
import { type DeliveryStatus, latestDeliveries } from './deliveries-of.ts';
import { requireEventId } from './require-event-id.ts';

export interface DeliveryRecord {
  eventId: EventId;
  endpointId: EndpointId;
  kind: string;
  /** True for a test event. */
  isTest: boolean;
  status: DeliveryStatus;
  attemptCount: number;
  /** Attempts since the delivery was last replayed. */
  tryCount: number;
  /** Time of the next attempt; null once the delivery has ended. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
  /** Status code of the last response; null if there was none. */
  lastStatusCode: number | null;
  lastError: string | null;
  /** Duration of the last attempt. */
  lastDurationMs: number | null;
}

export interface DeliveryFilter {
  publisherId: string;
  endpointId?: EndpointId | undefined;
  status?: DeliveryStatus | undefined;
  /** Only deliveries of these events. */
  eventIds?: readonly EventId[] | undefined;
}

/**
 * Reads one page of a publisher's deliveries, newest first.
 * @param size page size, 1 … 1,000
 * @throws Refusal NotFound when the publisher doesn't exist or the event id is invalid; InvalidCursor
 */
export async function listDeliveries(
  db: Db,
  pages: Pages,
  filter: DeliveryFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<DeliveryRecord>> {
  const { publisherId, endpointId = null, status = null, eventIds = null } = filter;
  await requirePublisher(db, publisherId);
  for (const eventId of eventIds ?? []) requireEventId(publisherId, eventId);
  const listing = ['deliveries', publisherId, endpointId, status, eventIds?.join() ?? null];
  const after = pages.after(listing, cursor);
  const where = sql.join(
    [
      sql`true`,
      ...(after === null ? [] : [beyond(after, endpointId)]),
      ...(endpointId === null ? [] : [sql`endpoint_id = ${endpointId}`]),
      ...(eventIds === null ? [] : [sql`event_id = any(${eventIds}::uuid[])`]),
    ],
    sql` and `,
  );
  const newestFirst = sql`order by d.event_id desc, d.endpoint_id desc`;
  const { rows } = await sql<Omit<DeliveryRecord, 'isTest'>>`
    select d.event_id as "eventId", d.endpoint_id as "endpointId", e.kind, d.status, d.attempt_count as "attemptCount", d.try_count as "tryCount",
           d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt", d.finished_at as "finishedAt",
           a.status_code as "lastStatusCode", a.error as "lastError", a.duration_ms as "lastDurationMs"
    from (
      select d.*
      from ${latestDeliveries(publisherId, { where, status, size: size + 1 })} d
      ${newestFirst}
      limit ${size + 1}
    ) d
    join webhook_event e on e.publisher_id = ${publisherId} and e.event_id = d.event_id
    left join webhook_attempt a
      on a.publisher_id = ${publisherId} and a.endpoint_id = d.endpoint_id and a.event_id = d.event_id
     and a.attempt_number = d.attempt_count
    ${newestFirst}`.execute(db);
  const deliveries = rows.map((row) => ({ ...row, ...readStoredKind(row.kind) }));
  return pages.cut(listing, deliveries, size, (row) => [row.eventId, row.endpointId]);
}

/**
 * Returns a condition for the deliveries after a key. For one endpoint, a condition on the event id is enough and
 * allows an index scan.
 */
const beyond = ([eventId, after]: PageKey, endpointId: EndpointId | null): RawBuilder<unknown> =>
  endpointId === null
    ? sql`(event_id, endpoint_id) < (${eventId}::uuid, ${after})`
    : sql`event_id < ${eventId}::uuid`;
