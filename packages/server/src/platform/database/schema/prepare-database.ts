import pg from 'pg';
import { grantRights, ownRole } from './grant-rights.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { schemaState } from './schema-records.ts';

/** Connections for an installation's two roles. If there is only one role, the connections are identical. */
export interface DatabaseRoles {
  connection: pg.ClientConfig;
  /** Connection as the role that owns the tables and may change their schema. */
  ownerConnection: pg.ClientConfig;
}

/**
 * Brings the schema and the rights up to date, as the owner. Rights are checked every time, so that they are also fixed
 * after a restore. Rights on a schema that is newer than this version are left to the newer version.
 * @returns the names of the migrations that it applied
 * @throws OperatorError in the same cases as `migrate` and `grantRights`
 */
export async function prepareDatabase(
  { connection, ownerConnection }: DatabaseRoles,
  options: MigrateOptions = {},
): Promise<string[]> {
  // Read first, so that nothing changes if the service can't reach the database.
  const serviceRole = await withClient(connection, ownRole);
  const applied = await migrate(ownerConnection, options);
  await withClient(ownerConnection, async (client) => {
    const { kind } = await schemaState(client);
    if (kind === 'current') await grantRights(client, serviceRole);
  });
  return applied;
}

async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the running statement fails with the same error
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
