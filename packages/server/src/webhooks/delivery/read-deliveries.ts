import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId, EventId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';

export type DeliveryStatus = 'Pending' | 'Delivered' | 'Failed';

export interface DeliveryRecord {
  eventId: EventId;
  endpointId: EndpointId;
  kind: string;
  status: DeliveryStatus;
  attemptCount: number;
  /** Null once it is delivered or has failed. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
  /** Of the last attempt. */
  lastStatusCode: number | null;
  lastError: string | null;
}

export interface AttemptRecord {
  endpointId: EndpointId;
  attemptNumber: number;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  /** How the answer's body begins, 4 KB at most. */
  answer: string;
}

export interface DeliveryFilter {
  endpointId?: EndpointId | undefined;
  status?: DeliveryStatus | undefined;
  eventId?: EventId | undefined;
}

/**
 * A publisher's deliveries, newest first.
 * @param limit 1 … 1,000
 * @throws OperatorError when there is no such publisher
 */
export async function listDeliveries(
  db: Db,
  publisherId: string,
  { endpointId, status, eventId }: DeliveryFilter,
  limit: number,
): Promise<DeliveryRecord[]> {
  await requirePublisher(db, publisherId);
  if (eventId !== undefined) requireEventId(publisherId, eventId);
  const { rows } = await sql<DeliveryRecord>`
    select d.event_id as "eventId", d.endpoint_id as "endpointId", e.kind, d.status, d.attempt_count as "attemptCount",
           case when d.status = 'Pending' then d.next_attempt_at end as "nextAttemptAt",
           d.created_at as "createdAt", d.finished_at as "finishedAt",
           a.status_code as "lastStatusCode", a.error as "lastError"
    from webhook_delivery d
    join webhook_event e on e.publisher_id = d.publisher_id and e.event_id = d.event_id
    left join webhook_attempt a
      on a.publisher_id = d.publisher_id and a.endpoint_id = d.endpoint_id and a.event_id = d.event_id
     and a.attempt_number = d.attempt_count
    where d.publisher_id = ${publisherId}
      and (${endpointId ?? null}::text is null or d.endpoint_id = ${endpointId ?? null})
      and (${status ?? null}::text is null or d.status = ${status ?? null})
      and (${eventId ?? null}::uuid is null or d.event_id = ${eventId ?? null}::uuid)
    order by d.event_id desc, d.endpoint_id
    limit ${limit}`.execute(db);
  return rows;
}

/** An event as it is sent, and every attempt to deliver it. @throws OperatorError when there is no such event */
export async function showEvent(
  db: Db,
  publisherId: string,
  eventId: EventId,
): Promise<{ kind: string; createdAt: Date; event: string; attempts: AttemptRecord[] }> {
  requireEventId(publisherId, eventId);
  const event = await db
    .selectFrom('webhook_event')
    .select(['kind', 'created_at', 'event'])
    .where('publisher_id', '=', publisherId)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  if (event === undefined) throw noSuchEvent(publisherId, eventId);
  const attempts = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('publisher_id', '=', publisherId)
    .where('event_id', '=', eventId)
    .orderBy('started_at')
    .limit(1_000)
    .execute();
  return {
    kind: event.kind,
    createdAt: event.created_at,
    event: event.event,
    attempts: attempts.map((row) => ({
      endpointId: row.endpoint_id,
      attemptNumber: row.attempt_number,
      startedAt: row.started_at,
      durationMs: row.duration_ms,
      statusCode: row.status_code,
      error: row.error,
      answer: row.answer?.toString('utf8') ?? '',
    })),
  };
}

function requireEventId(publisherId: string, eventId: EventId): void {
  if (!isRowId(eventId)) throw noSuchEvent(publisherId, eventId);
}

const noSuchEvent = (publisherId: string, eventId: EventId): OperatorError =>
  new OperatorError(`Publisher ${publisherId} has no event ${eventId}; events are purged after a while.`);
