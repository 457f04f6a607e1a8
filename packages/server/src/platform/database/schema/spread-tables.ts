import pg from 'pg';
import { splitStatements } from './split-statements.ts';

/*
 * With Citus, the migrations first create plain tables, which Citus doesn't restrict. At the end, one commit
 * distributes them across the nodes. Once the tables are distributed, the statements of later migrations run on the
 * nodes one at a time (docs/adr/0043-growing.md).
 */

/** Statements in migrations that distribute a table. They are skipped until all tables exist. */
const spreads = /^select (?:distribute_by_publisher|replicate_to_all_nodes)\('\w+'\)$/;
const comments = /(?:--[^\n]*\n|\/\*[\s\S]*?\*\/|\s)*/y;

export interface Spread {
  hasCitus: boolean;
  /** True if the publishers' tables are distributed to the nodes. */
  isSpread: boolean;
}

export async function readSpread(client: pg.ClientBase): Promise<Spread> {
  const { rows } = await client.query<{ hasCitus: boolean }>(
    `select exists (select 1 from pg_extension where extname = 'citus') as "hasCitus"`,
  );
  if (rows[0]?.hasCitus !== true) return { hasCitus: false, isSpread: false };
  const { rows: spread } = await client.query<{ isSpread: boolean }>(
    `select exists (select 1 from pg_dist_partition where logicalrelid = to_regclass('publisher') and partmethod = 'h') as "isSpread"`,
  );
  return { hasCitus: true, isSpread: spread[0]?.isSpread === true };
}

/** @returns the result of the last statement */
export async function runOnCitus(
  client: pg.ClientBase,
  sql: string,
  { isSpread }: Spread,
): Promise<pg.QueryResult> {
  await useSequentialMode(client);
  let last: pg.QueryResult | null = null;
  for (const statement of splitStatements(sql)) {
    comments.lastIndex = 0;
    comments.test(statement);
    if (!isSpread && spreads.test(statement.slice(comments.lastIndex))) continue;
    last = await client.query(statement);
  }
  if (last === null) throw new Error('a migration has no statements');
  return last;
}

/**
 * Makes Citus use one connection to each node, as required for a commit that creates functions, tables and
 * keys.
 */
export const useSequentialMode = (client: pg.ClientBase): Promise<unknown> =>
  client.query("set local citus.multi_shard_modify_mode = 'sequential'");

interface Key {
  table: string;
  name: string;
  definition: string;
}

/**
 * Distributes every table that isn't distributed yet. Tables shared by all publishers are copied to each node, and all
 * others are split by publisher. Foreign keys are dropped first and added back one at a time, because Citus rejects a
 * foreign key to a table that isn't distributed yet. Must be called in a transaction. Tables may contain rows.
 * @returns the number of tables that were distributed
 */
export async function spreadTables(client: pg.ClientBase): Promise<number> {
  const { rows: tables } = await client.query<{ name: string; isReference: boolean }>(
    `select c.relname as name, coalesce(obj_description(c.oid, 'pg_class') like 'reference:%', false) as "isReference"
     from pg_class c
     where c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('publisher'))
       and c.relkind in ('r', 'p') and not c.relispartition
       -- A table of Citus that lies on one node alone (partmethod n, and not replicated) is not spread.
       and c.oid not in (select logicalrelid from pg_dist_partition where partmethod <> 'n' or repmodel = 't')
       and (obj_description(c.oid, 'pg_class') like 'reference:%'
            or exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'publisher_id'))
     order by 2 desc, c.relname <> 'publisher', 1`,
  );
  if (tables.length === 0) return 0;
  await useSequentialMode(client);
  const keys = await dropForeignKeys(
    client,
    tables.map(({ name }) => name),
  );
  for (const { name, isReference } of tables)
    await client.query(
      `select ${isReference ? 'replicate_to_all_nodes' : 'distribute_by_publisher'}(${pg.escapeLiteral(name)})`,
    );
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  return tables.length;
}

async function dropForeignKeys(client: pg.ClientBase, tables: readonly string[]): Promise<Key[]> {
  const { rows: keys } = await client.query<Key>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conparentid = 0
       and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))
     order by 1, 2`,
    [tables.map((name) => pg.escapeIdentifier(name))],
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  return keys;
}
