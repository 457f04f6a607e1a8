import type { Actor } from '../audit/actor.ts';
import { recordChanges } from '../audit/record-change.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { removal, removed } from './remove-connector.ts';

/** Removes all connectors of a publisher. */
export async function removeConnectorsOf(
  tx: Tx,
  actor: Actor,
  publisherId: string,
  now: Date,
): Promise<void> {
  const rows = await tx
    .updateTable('connector')
    .set(removed(now))
    .where('publisher_id', '=', publisherId)
    .where('removed_at', 'is', null)
    .returning(['connector_id', 'name', 'provider'])
    .execute();
  await recordChanges(
    tx,
    actor,
    rows.map((each) => removal({ publisherId, connectorId: each.connector_id }, each)),
  );
}
