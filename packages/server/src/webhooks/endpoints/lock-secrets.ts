import type { Tx } from '../../platform/database/in-transaction.ts';
import { type EndpointKey, noSuchEndpoint } from './endpoint-record.ts';
import { isRotating } from './secrets.ts';

/** State of an endpoint's rotation. `next` is the new secret, sealed. Both are null if no rotation is in progress. */
export interface Rotation {
  next: string | null;
  startedAt: Date | null;
}

const none: Rotation = { next: null, startedAt: null };

/**
 * Locks an endpoint to change its secrets, and finishes its rotation if that has expired.
 * @throws Refusal NotFound when the endpoint doesn't exist
 */
export async function lockSecrets(tx: Tx, key: EndpointKey, now: Date): Promise<Rotation> {
  const endpoint = await tx
    .selectFrom('webhook_endpoint')
    .select(['next_secret', 'rotation_started_at'])
    .where('publisher_id', '=', key.publisherId)
    .where('endpoint_id', '=', key.endpointId)
    .forUpdate()
    .executeTakeFirst();
  if (endpoint === undefined) throw noSuchEndpoint(key);
  const { next_secret: next, rotation_started_at: startedAt } = endpoint;
  if (next === null) return none;
  if (isRotating(startedAt, now)) return { next, startedAt };
  await promoteNextSecret(tx, key, next); // a rotation ends automatically after a day
  return none;
}

export async function promoteNextSecret(
  tx: Tx,
  { publisherId, endpointId }: EndpointKey,
  next: string,
): Promise<void> {
  await tx
    .updateTable('webhook_endpoint')
    .set({ secret: next, next_secret: null, rotation_started_at: null })
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .execute();
}
