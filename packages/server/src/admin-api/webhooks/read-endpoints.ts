import type { Db } from '../../platform/database/database.ts';
import {
  type EndpointKey,
  endpointVersion,
  noSuchEndpoint,
  type WebhookEndpoint,
} from '../../webhooks/endpoints/endpoint-record.ts';
import { listEndpoints } from '../../webhooks/endpoints/list-endpoints.ts';
import { type EndpointHealth, readHealth } from '../../webhooks/endpoints/read-health.ts';
import { readOverdue } from '../../webhooks/endpoints/read-overdue.ts';
import { rotationMs } from '../../webhooks/endpoints/secrets.ts';

/** Reads up to 1,000 of a publisher's endpoints, each with its health. */
export async function readEndpoints(db: Db, publisherId: string, now: Date) {
  const [endpoints, health, overdue] = await Promise.all([
    listEndpoints(db, publisherId, now),
    readHealth(db, publisherId),
    readOverdue(db, publisherId, now),
  ]);
  return endpoints.map((endpoint) => ({
    ...toAnswer(endpoint, health.get(endpoint.endpointId)),
    overdueSince: overdue.get(endpoint.endpointId) ?? null,
  }));
}

/**
 * Reads an endpoint with its health.
 * @throws Refusal NotFound
 */
export async function readEndpoint(db: Db, key: EndpointKey, now: Date) {
  const all = await readEndpoints(db, key.publisherId, now);
  const found = all.find(({ endpointId }) => endpointId === key.endpointId);
  if (found === undefined) throw noSuchEndpoint(key);
  return found;
}

const noDeliveries: EndpointHealth = {
  delivered: 0,
  failed: 0,
  retrying: 0,
  lastDeliveredAt: null,
  lastFailedEventId: null,
};

const toAnswer = (
  { eventKinds, rotationStartedAt, ...endpoint }: WebhookEndpoint,
  health: EndpointHealth = noDeliveries,
) => ({
  ...endpoint,
  events: eventKinds,
  rotation: rotationStartedAt && {
    startedAt: rotationStartedAt,
    endsAt: new Date(rotationStartedAt.getTime() + rotationMs),
  },
  health,
  version: endpointVersion({ url: endpoint.url, eventKinds }),
});
