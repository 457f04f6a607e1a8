import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import {
  type Connector,
  type ConnectorKey,
  connectorTarget,
  readConnectorRow,
  requireSecret,
  secretPlace,
  toConnector,
} from './connector-record.ts';
import { polledProviderOf } from './providers/all-providers.ts';

/**
 * Enters the secret of the provider. The signing secret before it is still accepted until `finishSecretChange`, because a provider may
 * sign retries with it.
 * @throws Refusal InvalidInput, NotFound; Conflict while another change is in progress
 */
export function changeSecret(
  { db, sealer, now }: { db: Db; sealer: Sealer; now: Date },
  actor: Actor,
  { secret: typed, ...key }: ConnectorKey & { secret: string },
): Promise<Connector> {
  const secret = requireSecret(typed);
  return inTransaction(db, async (tx) => {
    const row = await readConnectorRow(tx, key);
    if (row.previous_secret !== null)
      throw new Refusal(
        'Conflict',
        'A change of the secret is in progress. Remove the old secret before you enter another one.',
      );
    // The key of a report is sent instead of compared, so that only the newest one is used.
    const isRotated = row.secret !== null && polledProviderOf(row.provider) === null;
    const rotationStartedAt = isRotated ? now : null;
    await tx
      .updateTable('connector')
      .set({
        secret: sealer.seal(secret, secretPlace(key)),
        previous_secret: isRotated ? row.secret : null,
        rotation_started_at: rotationStartedAt,
        next_poll_at: null,
      })
      .where('publisher_id', '=', key.publisherId)
      .where('connector_id', '=', key.connectorId)
      .execute();
    await recordChange(tx, actor, {
      publisherId: key.publisherId,
      action: 'connector.change-secret',
      target: connectorTarget(key),
      before: { secret: row.secret === null ? 'missing' : 'set' },
      after: { secret: 'set', ...(rotationStartedAt !== null && { rotationStartedAt }) },
    });
    return toConnector(await readConnectorRow(tx, key));
  });
}

/**
 * Ends a change of the secret, after which only the new one is accepted.
 * @throws Refusal NotFound; Conflict if no change is in progress
 */
export function finishSecretChange(db: Db, actor: Actor, key: ConnectorKey): Promise<Connector> {
  return inTransaction(db, async (tx) => {
    const row = await readConnectorRow(tx, key);
    if (row.previous_secret === null)
      throw new Refusal(
        'Conflict',
        'No change of the secret is in progress. Only the newest secret is accepted.',
      );
    await tx
      .updateTable('connector')
      .set({ previous_secret: null, rotation_started_at: null })
      .where('publisher_id', '=', key.publisherId)
      .where('connector_id', '=', key.connectorId)
      .execute();
    await recordChange(tx, actor, {
      publisherId: key.publisherId,
      action: 'connector.finish-secret-change',
      target: connectorTarget(key),
      before: { rotationStartedAt: row.rotation_started_at },
    });
    return toConnector(await readConnectorRow(tx, key));
  });
}
