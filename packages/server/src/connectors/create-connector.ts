import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { violatedConstraint } from '../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
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
  const secret = input.secret === null ? null : requireSecret(input.secret);
  const connectorId = randomBase62(24);
  const sealed = secret === null ? null : sealer.seal(secret, secretPlace({ publisherId, connectorId }));
  return inTransaction(db, (tx) =>
    insertConnector(tx, actor, {
      ...{ publisherId, connectorId, name, provider, groupId, now },
      settings: input.settings,
      sealed,
    }),
  ).catch((error) => {
    throw violatedConstraint(error) === 'connector_name' ? nameTaken(name) : error;
  });
}

interface Inserted extends Omit<NewConnector, 'secret'> {
  connectorId: string;
  /** Sealed secret; null if it is entered later. */
  sealed: string | null;
  now: Date;
}

/**
 * Inserts a connector and its audit entry.
 * @throws Refusal InvalidInput; NotFound for an unknown group
 */
export async function insertConnector(
  tx: Tx,
  actor: Actor,
  { publisherId, connectorId, name, provider, groupId, sealed, now, ...input }: Inserted,
): Promise<Connector> {
  requireVisible(name, ['name']);
  if (!providerIds.includes(provider))
    throw new Refusal('InvalidInput', `The provider must be one of ${providerIds.join(', ')}.`, {
      path: ['provider'],
    });
  const settings = requireSettings(provider, input.settings);
  const key = { publisherId, connectorId };
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
      secret: sealed,
      created_at: now,
    })
    .execute();
  await recordChange(tx, actor, {
    publisherId,
    action: 'connector.create',
    target: connectorTarget(key),
    after: { name, provider, group: groupId, settings, secret: sealed === null ? 'missing' : 'set' },
  });
  return toConnector(await readConnectorRow(tx, key));
}

export const nameTaken = (name: string): Refusal =>
  new Refusal('Conflict', `A connector named ${name} already exists. Choose another name.`, {
    path: ['name'],
  });
