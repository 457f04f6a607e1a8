import type { Db } from '../../../platform/database/database.ts';
import type { EndpointId, EventId } from '../../../platform/database/tables.generated.ts';
import { readStoredKind } from '../../event-kinds.ts';
import { noSuchEvent, requireEventId } from './require-event-id.ts';

export interface AttemptRecord {
  endpointId: EndpointId;
  attemptNumber: number;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  /** Start of the response body, at most 4 KB. */
  answer: string;
}

export interface EventRecord {
  kind: string;
  createdAt: Date;
  event: string;
  /** First 1,000 attempts, oldest first. */
  attempts: AttemptRecord[];
}

/**
 * Reads an event exactly as it is sent, with its delivery attempts for one endpoint or for all endpoints.
 * @throws Refusal NotFound when the event doesn't exist
 */
export async function showEvent(
  db: Db,
  publisherId: string,
  eventId: EventId,
  endpointId?: EndpointId,
): Promise<EventRecord> {
  requireEventId(publisherId, eventId);
  const event = await db
    .selectFrom('webhook_event')
    .select(['kind', 'created_at', 'event'])
    .where('publisher_id', '=', publisherId)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  if (event === undefined) throw noSuchEvent(publisherId, eventId);
  let query = db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('publisher_id', '=', publisherId)
    .where('event_id', '=', eventId);
  if (endpointId !== undefined) query = query.where('endpoint_id', '=', endpointId);
  const attempts = await query.orderBy('started_at').limit(1_000).execute();
  return {
    kind: readStoredKind(event.kind).kind,
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
