import { sql } from 'kysely';
import { serviceActor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { removeEndpoint } from '../endpoints/remove-endpoint.ts';

/**
 * Removes listeners that were killed. Otherwise, events would still be stored for them even though no process reads the
 * events.
 */
export async function removeDeadListeners(db: Db): Promise<void> {
  const dead = await db
    .selectFrom('webhook_endpoint')
    .select(['publisher_id', 'endpoint_id'])
    .where('listener_seen_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
  for (const { publisher_id: publisherId, endpoint_id: endpointId } of dead)
    await removeEndpoint(db, serviceActor, { publisherId, endpointId }).catch((error) => {
      if (!(error instanceof Refusal)) throw error; // another process has removed it
    });
}
