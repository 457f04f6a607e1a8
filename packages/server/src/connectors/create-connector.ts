import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { violatedConstraint } from '../platform/database/database-errors.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { randomBase62 } from '../platform/ids.ts';
import { requireVisible } from '../platform/inputs.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import {
  type Connector,
  connectorTarget,
  readConnectorRow,
  requireSecret,
  requireSettings,
  secretPlace,
  toConnector,
} from './connector-record.ts';
import { providerIds } from './providers/all-providers.ts';
import { requireGroup } from './require-group.ts';

/** Maximum number of connectors per publisher. */
const maxConnectors = 100;

export interface NewConnector {
  publisherId: string;
  name: string;
  provider: string;
  /** Null for the default group. */
  groupId: string | null;
  settings: unknown;
  /** Signing secret of the provider; null if it is entered later. Until then, every request is rejected. */
  secret: string | null;
}

/**
 * Adds a connector, whose address receives a provider's webhooks.
 * @throws Refusal InvalidInput; NotFound for an unknown group; Conflict for a name that is taken
 */
export async function createConnector(
  { db, sealer, now }: { db: Db; sealer: Sealer; now: Date },
  actor: Actor,
  { publisherId, name, provider, groupId, ...input }: NewConnector,
): Promise<Connector> {
  requireVisible(name, ['name']);
  if (!providerIds.includes(provider))
    throw new Refusal('InvalidInput', `The provider must be one of ${providerIds.join(', ')}.`, {
      path: ['provider'],
    });
  const settings = requireSettings(provider, input.settings);
  const secret = input.secret === null ? null : requireSecret(input.secret);
  const connectorId = randomBase62(24);
  const key = { publisherId, connectorId };
  return inTransaction(db, async (tx) => {
    await requireGroup(tx, publisherId, groupId);
    const { count } = await tx
      .selectFrom('connector')
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .where('publisher_id', '=', publisherId)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (count >= maxConnectors)
      throw new Refusal(
        'Conflict',
        `A publisher can have at most ${maxConnectors} connectors. Remove one first.`,
      );
    await tx
      .insertInto('connector')
      .values({
        ...{ publisher_id: publisherId, connector_id: connectorId, name, provider, group_id: groupId },
        settings: JSON.stringify(settings),
        secret: secret === null ? null : sealer.seal(secret, secretPlace(key)),
        created_at: now,
      })
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'connector.create',
      target: connectorTarget(key),
      after: { name, provider, group: groupId, settings, secret: secret === null ? 'missing' : 'set' },
    });
    return toConnector(await readConnectorRow(tx, key));
  }).catch((error) => {
    throw violatedConstraint(error) === 'connector_name' ? nameTaken(name) : error;
  });
}

export const nameTaken = (name: string): Refusal =>
  new Refusal('Conflict', `A connector named ${name} already exists. Choose another name.`, {
    path: ['name'],
  });
