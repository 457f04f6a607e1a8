import { type Static, Type } from 'typebox';
import type { Actor } from '../audit/actor.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import { randomBase62 } from '../platform/ids.ts';
import { closed, inputGroupId } from '../platform/inputs.ts';
import { Refusal } from '../platform/refusal.ts';
import { updateConnector } from './change-connector.ts';
import { connectorColumns, settingsOf } from './connector-record.ts';
import { insertConnector } from './create-connector.ts';
import { providerIds } from './providers/all-providers.ts';
import { connectorSettings } from './settings.ts';

export const connectorInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    provider: Type.String({ enum: [...providerIds] }),
    group: Type.Optional(inputGroupId),
    settings: Type.Optional(connectorSettings),
  },
  {
    ...closed,
    description:
      'Identified by its name. The signing secret is entered with `attribution connectors secret`.',
  },
);

export interface ConnectorInput extends Static<typeof connectorInput> {
  publisherId: string;
}

/**
 * Creates a connector, or changes the one with this name. Absent fields of an existing one don't change.
 * @throws Refusal InvalidInput, NotFound; Conflict if it has another provider
 */
export async function putConnector(
  tx: Tx,
  actor: Actor,
  { publisherId, name, provider, group, settings }: ConnectorInput,
): Promise<void> {
  const now = await readMoment(tx);
  const existing = await tx
    .selectFrom('connector')
    .select(['connector_id', 'provider'])
    .where('publisher_id', '=', publisherId)
    .where('name', '=', name)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (existing === undefined) {
    await insertConnector(tx, actor, {
      ...{ publisherId, connectorId: randomBase62(24), name, provider, groupId: group ?? null, now },
      settings: settings ?? {},
      sealed: null,
    });
    return;
  }
  if (existing.provider !== provider)
    throw new Refusal(
      'Conflict',
      `The connector ${name} is of ${existing.provider}. Remove it first, or choose another name.`,
      { path: ['provider'] },
    );
  const { connector_id: connectorId } = existing;
  await updateConnector(tx, actor, { publisherId, connectorId, groupId: group, settings }, now);
}

/** Reads a publisher's connectors in the form of a program file, which contains no secrets. */
export async function readConnectorInputs(
  db: Db | Tx,
  publisherId: string,
): Promise<Static<typeof connectorInput>[]> {
  const rows = await db
    .selectFrom('connector')
    .select(connectorColumns)
    .where('publisher_id', '=', publisherId)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute();
  return rows.map((row) => {
    const settings = settingsOf(row);
    return {
      name: row.name,
      provider: row.provider,
      ...(row.group_id !== null && { group: row.group_id }),
      ...(Object.keys(settings).length > 0 && { settings }),
    };
  });
}
