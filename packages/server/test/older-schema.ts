import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

const migrations = new URL('../migrations/', import.meta.url);

/**
 * Creates an older version's schema, such as that of 0.1.0.
 * @param last number of the last migration, such as '0003'
 */
export async function migrateUpTo(connection: pg.ClientConfig, last: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(
    'create table schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  for (const name of readdirSync(migrations)
    .filter((each) => each.endsWith('.sql'))
    .sort()) {
    if (name.slice(0, 4) > last) continue;
    const text = readFileSync(new URL(name, migrations), 'utf8');
    await client.query(text);
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [
      name,
      createHash('sha256').update(text).digest('hex'),
    ]);
  }
  await client.end();
}
