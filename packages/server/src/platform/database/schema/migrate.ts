import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { asTyped } from '../../program-name.ts';
import { sqlState } from '../database-errors.ts';
import { watchingLocks } from './lock-holders.ts';
import {
  type AppliedMigration,
  compareSchema,
  type Migration,
  readMigrations,
  type SchemaState,
} from './migration-files.ts';

export interface MigrateOptions {
  /** Told when a migration has to wait, and for whom. */
  onWait?: (message: string) => void;
  /** How long a migration is tried again that does not get its locks; 60 s when absent. */
  patienceMs?: number;
}

const lockNumber = 7_301_986_142; // any number, the same in every process: one migrator at a time
/** Whatever else wants a table waits behind a migration that waits for it, so it waits briefly and steps back. */
const lockTimeout = '2s';
const patienceMs = 60_000;
const longestPauseMs = 5_000;
/** Another migrator may work for long; nothing waits behind one that waits for it. */
const migratorNoticeMs = 60_000;

/**
 * Brings a schema up to date, one commit a migration; any number of processes may do so at once. A migration waits two
 * seconds for a lock, then lets others through and tries again. A newer schema on which this program may run is left
 * as it is.
 * @returns the names of the migrations it applied
 * @throws OperatorError when the schema is of a different build or too new, or a lock was not to be had
 */
export async function migrate(
  connection: pg.ClientConfig,
  { onWait = () => undefined, patienceMs: patience = patienceMs }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the statement under way fails too, and says so
  await client.connect();
  try {
    const applied: string[] = [];
    for (;;) {
      const name = await withPatience(connection, client, patience, onWait);
      if (name === null) return applied;
      applied.push(name);
    }
  } finally {
    await client.end();
  }
}

/** Applies the next migration, however often that has to be tried. @returns its name; null when there is none */
async function withPatience(
  connection: pg.ClientConfig,
  client: pg.Client,
  patience: number,
  onWait: (message: string) => void,
): Promise<string | null> {
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const { applied, refused } = await applyNext(connection, client, onWait);
    if (refused === null) return applied;
    const words = `${refused.name} needs ${refused.waitedFor ?? 'a lock that somebody else has'}`;
    if (performance.now() - startedAt > patience)
      throw new OperatorError(
        `${words}, and did not get it within ${Math.round(patience / 1_000)} s. Nothing of it was applied: end what holds the lock, and run \`${asTyped('migrate')}\` again.`,
      );
    const pauseMs = Math.min(250 * 2 ** attempt, longestPauseMs) * (0.75 + Math.random() / 2);
    onWait(`${words}; it lets others through and tries again`);
    await sleep(pauseMs);
  }
}

interface Outcome {
  applied: string | null;
  /** The migration that did not get a lock, of which nothing was applied. */
  refused: { name: string; waitedFor: string | null } | null;
}

async function applyNext(
  connection: pg.ClientConfig,
  client: pg.Client,
  onWait: (message: string) => void,
): Promise<Outcome> {
  // A lock that ends with its transaction is the kind that works through PgBouncer.
  await client.query('begin isolation level read committed');
  try {
    // The server, the database or the role may have limits of their own.
    await client.query(
      'set local lock_timeout = 0; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    const notice = setTimeout(() => onWait('another migration is under way'), migratorNoticeMs);
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber]).finally(() => clearTimeout(notice));
    await client.query(`set local lock_timeout = '${lockTimeout}'`);
    await prepareMigrationTable(client);
    const next = nextMigration(await readApplied(client));
    if (next !== null) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const { error, waitedFor } = await watchingLocks(connection, rows[0]?.pid ?? 0, () =>
        apply(client, next),
      );
      if (error !== null) {
        if (!isLockRefused(error)) throw error;
        await client.query('rollback');
        return { applied: null, refused: { name: next.name, waitedFor } };
      }
    }
    await client.query('commit');
    return { applied: next?.name ?? null, refused: null };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function apply(client: pg.Client, { name, sql, sha256, oldestProgram }: Migration): Promise<void> {
  await client.query(sql);
  await client.query('insert into schema_migration (name, sha256, oldest_program) values ($1, $2, $3)', [
    name,
    sha256,
    oldestProgram,
  ]);
}

/** A lock or a deadlock: the same migration may go through. */
const isLockRefused = (error: unknown): boolean => ['55P03', '40P01'].includes(sqlState(error) ?? '');

/** Version 0.1.0 made the table without its last column. */
async function prepareMigrationTable(client: pg.Client): Promise<void> {
  const columns = await columnsOfTable(client);
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

/** Looks at a schema without changing it. */
export async function schemaState(client: pg.ClientBase | pg.Pool): Promise<SchemaState> {
  const columns = await columnsOfTable(client);
  if (columns.length === 0) return { kind: 'empty' };
  const { rows } = await client.query<{ role: string; reads: boolean }>(
    "select current_user::text as role, has_table_privilege('schema_migration', 'select') as reads",
  );
  if (rows[0]?.reads === false)
    return {
      kind: 'unknown',
      reason: `role ${rows[0].role} may not read its tables; run \`${asTyped('migrate')}\``,
    };
  return compareSchema(readMigrations(), await readApplied(client, columns.includes('oldest_program')));
}

/** Of the table that the search path finds; none when there is none. */
async function columnsOfTable(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass('schema_migration') and attnum > 0 and not attisdropped`,
  );
  return rows.map(({ name }) => name);
}

async function readApplied(
  client: pg.ClientBase | pg.Pool,
  namesPrograms = true,
): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `select name, sha256, ${namesPrograms ? 'oldest_program' : 'null::text'} as "oldestProgram"
     from schema_migration order by name collate "C"`,
  );
  return rows;
}

/** @throws OperatorError when the schema is not one that this program can bring further or run on */
function nextMigration(applied: readonly AppliedMigration[]): Migration | null {
  const known = readMigrations();
  const state = compareSchema(known, applied);
  if (state.kind === 'unknown') throw new OperatorError(`The database cannot be used: ${state.reason}.`);
  return known[applied.length] ?? null;
}
