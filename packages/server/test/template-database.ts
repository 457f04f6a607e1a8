import type pg from 'pg';

/** The migrated, empty database that every test file gets a copy of. */
export const templateDatabase = 'attribution_template';

/** The same server, another database. */
export function inDatabase(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, user: 'attribution', database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}
