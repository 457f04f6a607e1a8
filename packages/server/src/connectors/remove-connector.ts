import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { type ConnectorKey, connectorTarget, readConnectorRow } from './connector-record.ts';

/**
 * Removes a connector and its secrets. Its address answers 404 from then on. What it recorded stays.
 * @throws Refusal NotFound
 */
export function removeConnector(
  { db, now }: { db: Db; now: Date },
  actor: Actor,
  key: ConnectorKey,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { name, provider } = await readConnectorRow(tx, key);
    await tx
      .updateTable('connector')
      .set({ removed_at: now, secret: null, previous_secret: null, rotation_started_at: null })
      .where('publisher_id', '=', key.publisherId)
      .where('connector_id', '=', key.connectorId)
      .execute();
    await recordChange(tx, actor, {
      publisherId: key.publisherId,
      action: 'connector.remove',
      target: connectorTarget(key),
      before: { name, provider },
    });
  });
}
