import type { Actor } from '../audit/actor.ts';
import { type Change, recordChange } from '../audit/record-change.ts';
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
      .set(removed(now))
      .where('publisher_id', '=', key.publisherId)
      .where('connector_id', '=', key.connectorId)
      .execute();
    await recordChange(tx, actor, removal(key, { name, provider }));
  });
}

/** Values of a removed connector's row. */
export const removed = (now: Date) =>
  ({ removed_at: now, secret: null, previous_secret: null, rotation_started_at: null }) as const;

/** Audit entry of a removal. */
export const removal = (
  key: ConnectorKey,
  { name, provider }: { name: string; provider: string },
): Change => ({
  publisherId: key.publisherId,
  action: 'connector.remove',
  target: connectorTarget(key),
  before: { name, provider },
});
