import type pg from 'pg';

/** Migrated, empty database cloned by every test file. */
export const templateDatabase = 'attribution_template';

/** Database with the demo's data, created by the first test file that needs it. */
export const demoTemplate = 'attribution_demo_template';

/** Roles for the service, the tables' owner, and a superuser. */
export type TestRole = 'service' | 'owner' | 'admin';

/**
 * Roles of the embedded cluster. The same two roles are created on an external server, with a password for
 * tests only.
 */
const names = { service: 'attribution', owner: 'attribution_owner' };
const password = 'attribution-tests';

/** Returns the connection to another database on the same server, as one of the roles. */
export function inDatabase(
  admin: pg.ClientConfig,
  database: string,
  role: TestRole = 'service',
): pg.ClientConfig {
  if (admin.connectionString === undefined)
    return { ...admin, ...(role !== 'admin' && { user: names[role] }), database };
  const url = new URL(admin.connectionString);
  url.pathname = `/${database}`;
  if (role !== 'admin') {
    url.username = names[role];
    url.password = password;
  }
  return { connectionString: url.href };
}

/** Creates both roles on an external server. The embedded server already has them. */
export async function makeRoles(client: pg.Client): Promise<void> {
  for (const name of Object.values(names)) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
    await client.query(`${rowCount === 0 ? 'create' : 'alter'} role ${name} login password '${password}'`);
  }
  // A role that isn't a superuser can create a database for another role only if it is a member of that role.
  await client.query(`grant ${names.owner} to current_user`);
}

export const owned = `owner ${names.owner}`;
