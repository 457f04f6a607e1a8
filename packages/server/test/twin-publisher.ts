import pg from 'pg';
import { createKey } from '../src/api-keys/create-key.ts';
import { testActor } from './test-actor.ts';
import type { TestDatabase } from './test-database.ts';

/** Tables that log actions instead of storing data. */
const notCopied = ['api_key', 'audit_entry'];

/**
 * Creates a publisher with the same groups, members, codes, purchases and unposted rows as another publisher,
 * under the same ids. This never happens in a real installation. Code that checks only an id would find both
 * publishers' rows.
 * @returns a secret key of its own
 */
export async function makeTwin(
  { adminConnection, database }: TestDatabase,
  publisherId: string,
  twinId: string,
): Promise<string> {
  const client = new pg.Client(adminConnection);
  await client.connect();
  try {
    // References are checked once all rows are inserted.
    await client.query("begin; set local session_replication_role = 'replica'");
    for (const { table, columns } of await tablesOf(client))
      await client.query(
        `insert into ${table} (publisher_id, ${columns}) select $2, ${columns} from ${table} where publisher_id = $1`,
        [publisherId, twinId],
      );
    await client.query('commit');
  } finally {
    await client.end();
  }
  const made = {
    publisherId: twinId,
    name: 'backend',
    kind: 'secret',
    group: null,
    expiresAt: null,
  } as const;
  return (await createKey(database.db, testActor, made, new Date())).key;
}

async function tablesOf(client: pg.Client): Promise<{ table: string; columns: string }[]> {
  const { rows } = await client.query<{ table: string; columns: string }>(
    `
    select c.table_name as table, string_agg(quote_ident(c.column_name), ', ') as columns
    from information_schema.columns c
    where c.table_schema = current_schema() and c.column_name <> 'publisher_id' and c.is_generated = 'NEVER'
      and c.table_name <> all($1)
      and exists (
        select
        from information_schema.columns p
        join information_schema.tables t using (table_schema, table_name)
        where p.table_schema = c.table_schema and p.table_name = c.table_name and p.column_name = 'publisher_id'
          and t.table_type = 'BASE TABLE')
      -- A partition is copied with the table that it is of.
      and not (select relispartition from pg_class where oid = format('%I.%I', c.table_schema, c.table_name)::regclass)
    group by c.table_name`,
    [notCopied],
  );
  return rows;
}
