import type { Tx } from '../../platform/database/in-transaction.ts';
import { type EndpointKey, noSuchEndpoint } from './endpoint-record.ts';
import { isRotating } from './secrets.ts';

/** How an endpoint's rotation stands; `next` is the new secret, sealed. Without one both are null. */
export interface Rotation {
  next: string | null;
  startedAt: Date | null;
}

const none: Rotation = { next: null, startedAt: null };

/** Locks an endpoint whose secrets change. @throws Refusal NotFound when there is none */
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
  await keepNewest(tx, key, next); // a rotation that is a day old has ended by itself
  return none;
}

/** The new secret is the only one from now on. */
export async function keepNewest(
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
