import type pg from 'pg';

/** The migrated, empty database that every test file gets a copy of. */
export const templateDatabase = 'attribution_template';

/** The service, the owner of the tables, and who may do anything. */
export type TestRole = 'service' | 'owner' | 'admin';

/** The roles of the embedded cluster; a server of one's own gets the same two, and their password is for tests alone. */
const names = { service: 'attribution', owner: 'attribution_owner' };
const password = 'attribution-tests';

/** The same server, another database, as one of the roles. */
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

/** Both roles on a server of one's own; the embedded one has them. */
export async function makeRoles(client: pg.Client): Promise<void> {
  for (const name of Object.values(names)) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
    await client.query(`${rowCount === 0 ? 'create' : 'alter'} role ${name} login password '${password}'`);
  }
  // Who is no superuser makes a database for another role only as its member.
  await client.query(`grant ${names.owner} to current_user`);
}

export const owned = `owner ${names.owner}`;
