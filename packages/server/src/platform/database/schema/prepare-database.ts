import pg from 'pg';
import { grantRights, ownRole } from './grant-rights.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { schemaState } from './schema-records.ts';

/** Connections of an installation's two roles; the same connection where there is only one role. */
export interface DatabaseRoles {
  /** The service. */
  connection: pg.ClientConfig;
  /** Connection of the role that owns the tables and may change them. */
  ownerConnection: pg.ClientConfig;
}

/**
 * Brings schema and rights up to date, as the owner. The rights are looked at every time, so that this is also what
 * mends them after a restore; those of a schema that is newer than this program are left to the newer one.
 * @returns the names of the migrations it applied
 * @throws OperatorError in words, see `migrate` and `grantRights`
 */
export async function prepareDatabase(
  { connection, ownerConnection }: DatabaseRoles,
  options: MigrateOptions = {},
): Promise<string[]> {
  // Asked first: a database that the service cannot reach is not half prepared.
  const serviceRole = await asking(connection, ownRole);
  const applied = await migrate(ownerConnection, options);
  await asking(ownerConnection, async (client) => {
    const { kind } = await schemaState(client);
    if (kind === 'current') await grantRights(client, serviceRole);
  });
  return applied;
}

async function asking<Result>(
  connection: pg.ClientConfig,
  ask: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the statement under way fails too, and says so
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}
