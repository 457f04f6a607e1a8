import type { Db } from '../../platform/database/database.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import type { EventKind } from '../event-kinds.ts';
import type { WebhookEndpoint } from './endpoint-record.ts';
import { isRotating } from './secrets.ts';
import { shownReason } from './switch-endpoint.ts';

/**
 * Lists a publisher's endpoints, at most 1,000, oldest first.
 * @throws Refusal NotFound when the publisher doesn't exist
 */
export async function listEndpoints(db: Db, publisherId: string, now: Date): Promise<WebhookEndpoint[]> {
  await requirePublisher(db, publisherId);
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select([
      'endpoint_id',
      'url',
      'event_kinds',
      'is_enabled',
      'listener_seen_at',
      'disabled_reason',
      'failing_since',
      'rotation_started_at',
      'created_at',
    ])
    .where('publisher_id', '=', publisherId)
    .orderBy('created_at')
    .orderBy('endpoint_id')
    .execute();
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    url: row.url,
    eventKinds: row.event_kinds as EventKind[],
    isEnabled: row.is_enabled,
    isListener: row.listener_seen_at !== null,
    disabledReason: shownReason(row.disabled_reason),
    failingSince: row.failing_since,
    rotationStartedAt: isRotating(row.rotation_started_at, now) ? row.rotation_started_at : null,
    createdAt: row.created_at,
  }));
}
