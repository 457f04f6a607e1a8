import type { Db } from '../../platform/database/database.ts';
import type { EventId } from '../../platform/database/tables.generated.ts';
import type { Pages } from '../../platform/page.ts';
import { type DeliveryRecord, listDeliveries } from '../../webhooks/delivery/read/list-deliveries.ts';
import { noSuchEvent } from '../../webhooks/delivery/read/require-event-id.ts';
import { type AttemptRecord, showEvent } from '../../webhooks/delivery/read/show-event.ts';
import { ownHeaders } from '../../webhooks/delivery/send/send-request.ts';
import { timestampOf, toBody } from '../../webhooks/delivery/send/signature.ts';
import type { EndpointKey } from '../../webhooks/endpoints/endpoint-record.ts';
import { listEndpoints } from '../../webhooks/endpoints/list-endpoints.ts';
import { withSubjects } from './delivery-subjects.ts';

/**
 * Reads a delivery with its request and its attempts.
 * @throws Refusal NotFound
 */
export async function showDelivery(
  db: Db,
  pages: Pages,
  { publisherId, endpointId, eventId }: EndpointKey & { eventId: EventId },
  now: Date,
) {
  const [{ rows }, event, endpoints] = await Promise.all([
    listDeliveries(db, pages, { publisherId, endpointId, eventIds: [eventId] }, { cursor: null, size: 1 }),
    showEvent(db, publisherId, eventId, endpointId),
    listEndpoints(db, publisherId, now),
  ]);
  const [delivery] = rows;
  if (delivery === undefined) throw noSuchEvent(publisherId, eventId);
  const endpoint = endpoints.find((each) => each.endpointId === endpointId);
  const [subject] = await withSubjects(db, publisherId, [delivery]);
  return {
    delivery: { ...toDelivery(delivery), subject: subject?.subject ?? null },
    // The endpoint may have been removed since then.
    endpoint: endpoint === undefined ? null : { url: endpoint.url, isEnabled: endpoint.isEnabled },
    body: toBody({ eventId, createdAt: event.createdAt, kind: event.kind, event: event.event }),
    attempts: event.attempts.map((attempt) => toAttempt(eventId, attempt)),
  };
}

export const toDelivery = ({ status, ...rest }: DeliveryRecord) => ({ ...rest, state: status });

const toAttempt = (eventId: EventId, { endpointId: _its, ...attempt }: AttemptRecord) => ({
  ...attempt,
  headers: Object.entries({
    ...ownHeaders,
    'webhook-id': eventId,
    'webhook-timestamp': timestampOf(attempt.startedAt),
  }).map(([name, value]) => ({ name, value })),
});
