import type pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { asTyped } from '../../program-name.ts';
import {
  type AppliedMigration,
  compareSchema,
  type Migration,
  readMigrations,
  type SchemaState,
} from './migration-files.ts';

/**
 * Records of a database's migrations. `schema_migration` lists the applied migrations, which a process checks
 * to decide whether it may run. `schema_preparation` lists the migrations applied ahead of an upgrade. The
 * running version doesn't recognize those migrations and must still be able to restart. The upgrade moves
 * their records from `schema_preparation` to `schema_migration`.
 */

/** Creates the table of applied migrations, or adds its last column, which didn't exist in version 0.1.0. */
export async function prepareMigrationTable(client: pg.Client): Promise<void> {
  const columns = await columnsOf(client, 'schema_migration');
  if (columns.length === 0) {
    await client.query(
      `create table schema_migration (
         name text primary key,
         sha256 text not null,
         applied_at timestamptz not null default now(),
         oldest_program text
       )`,
    );
  } else if (!columns.includes('oldest_program')) {
    await client.query('alter table schema_migration add column oldest_program text');
  }
}

/** Table that exists in the target of a move until the move is finished (copy/unfinished-move.ts). */
export const unfinishedMove = 'unfinished_move';

/** Determines the state of a schema without changing it. */
export async function schemaState(client: pg.ClientBase | pg.Pool): Promise<SchemaState> {
  const columns = await columnsOf(client, 'schema_migration');
  if (columns.length === 0) return { kind: 'empty' };
  if ((await columnsOf(client, unfinishedMove)).length > 0)
    return {
      kind: 'unknown',
      reason: `a move to it has not finished; run \`${asTyped('move')}\` again with the same options`,
    };
  const { rows } = await client.query<{ role: string; reads: boolean }>(
    "select current_user::text as role, has_table_privilege('schema_migration', 'select') as reads",
  );
  if (rows[0]?.reads === false)
    return {
      kind: 'unknown',
      reason: `role ${rows[0].role} lacks the right to read its tables; run \`${asTyped('migrate')}\``,
    };
  return compareSchema(readMigrations(), await readApplied(client, columns.includes('oldest_program')));
}

export interface Pending {
  /** Migrations to apply, in order. */
  migrations: readonly Migration[];
  prepared: ReadonlySet<string>;
}

/** @throws OperatorError if this version can neither migrate the schema nor run on it */
export async function readPending(client: pg.Client): Promise<Pending> {
  const known = readMigrations();
  const applied = await readApplied(client);
  const state = compareSchema(known, applied);
  if (state.kind === 'unknown') throw unusable(state.reason);
  const migrations = known.slice(applied.length);
  return { migrations, prepared: await readPrepared(client, migrations) };
}

async function readPrepared(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<ReadonlySet<string>> {
  if ((await columnsOf(client, 'schema_preparation')).length === 0) return new Set();
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_preparation order by name collate "C"',
  );
  for (const { name, sha256 } of rows)
    if (migrations.find((each) => each.name === name)?.sha256 !== sha256)
      throw unusable(
        `migration ${name} was prepared by a different build; finish the upgrade with that build`,
      );
  return new Set(rows.map(({ name }) => name));
}

export async function recordApplied(
  client: pg.Client,
  { name, sha256, oldestVersion }: Migration,
): Promise<void> {
  await client.query('insert into schema_migration (name, sha256, oldest_program) values ($1, $2, $3)', [
    name,
    sha256,
    oldestVersion,
  ]);
}

export async function recordPrepared(client: pg.Client, { name, sha256 }: Migration): Promise<void> {
  await client.query(
    `create table if not exists schema_preparation (
       name text primary key,
       sha256 text not null,
       prepared_at timestamptz not null default now()
     )`,
  );
  await client.query('insert into schema_preparation (name, sha256) values ($1, $2)', [name, sha256]);
}

/** Records a prepared migration as applied, during the upgrade. */
export async function adoptPrepared(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('delete from schema_preparation where name = $1', [migration.name]);
  const { rowCount } = await client.query('select 1 from schema_preparation limit 1');
  if (rowCount === 0) await client.query('drop table schema_preparation');
  await recordApplied(client, migration);
}

/** Returns the columns of the table found on the search path, or an empty array if it doesn't exist. */
async function columnsOf(client: pg.ClientBase | pg.Pool, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function readApplied(
  client: pg.ClientBase | pg.Pool,
  hasOldestVersion = true,
): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `select name, sha256, ${hasOldestVersion ? 'oldest_program' : 'null::text'} as "oldestVersion"
     from schema_migration order by name collate "C"`,
  );
  return rows;
}

const unusable = (reason: string): OperatorError =>
  new OperatorError(`The database cannot be used: ${reason}.`);
