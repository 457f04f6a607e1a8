import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { asTyped } from '../../program-name.ts';
import { sqlState } from '../database-errors.ts';
import { ownRole, requireOwnership } from './grant-rights.ts';
import { watchingLocks } from './lock-holders.ts';
import type { Migration } from './migration-files.ts';
import {
  adoptPrepared,
  type Pending,
  prepareMigrationTable,
  readPending,
  recordApplied,
  recordPrepared,
} from './schema-records.ts';
import { readSpread, runOnCitus, spreadTables } from './spread-tables.ts';

export interface MigrateOptions {
  /**
   * Called with a message when a migration is waiting for a lock, and with the progress of a migration that
   * runs in steps.
   */
  onWait?: (message: string) => void;
  /** Time to keep retrying a migration that can't get its locks. Defaults to 60 s. */
  patienceMs?: number;
}

/** Arbitrary, but the same in every process, so that only one process at a time migrates. */
const lockNumber = 7_301_986_142;
/** Maximum wait for a table's lock. It is short because other sessions queue behind the migration. */
const lockTimeout = '2s';
const patienceMs = 60_000;
const maxPauseMs = 5_000;
/**
 * Time that a process waits for another migration before it reports the wait. The wait itself is unlimited, since no
 * other session queues behind this process.
 */
const migratorNoticeMs = 60_000;
const progressEveryMs = 5_000;

/**
 * Brings a schema up to date, with one commit per migration or step. Any number of processes may call it at once, and a
 * later call continues the work of a killed process. A migration waits two seconds for a lock, then lets other sessions
 * through and tries again. A newer schema that this version can run on isn't changed.
 * @returns the names of the migrations that it applied
 * @throws OperatorError if the schema belongs to a different build or is too new, or if a lock wasn't available in time
 */
export function migrate(connection: pg.ClientConfig, options: MigrateOptions = {}): Promise<string[]> {
  const caughtUp = new Set<string>();
  return migrating(connection, options, {
    next: ({ migrations, prepared }) => {
      const ahead = aheadOfSwitch(migrations);
      return ahead.find(isAwaited(prepared, caughtUp)) ?? migrations[ahead.length] ?? null;
    },
    async take(client, migration, { migrations, prepared }) {
      const ahead = aheadOfSwitch(migrations);
      if (ahead.includes(migration))
        return { ...(await applyAhead(client, migration, caughtUp)), applied: [] };
      for (const each of ahead)
        await (prepared.has(each.name) ? adoptPrepared(client, each) : recordApplied(client, each));
      const before = ahead.map(({ name }) => name);
      if (prepared.has(migration.name)) {
        await adoptPrepared(client, migration);
        return { ...doneAtOnce(migration), applied: [...before, migration.name] };
      }
      const turn = await apply(client, migration);
      if (turn.isDone) await recordApplied(client, migration);
      return { ...turn, applied: turn.isDone ? [...before, migration.name] : before };
    },
    async finish(client) {
      const { hasCitus } = await readSpread(client);
      const count = hasCitus ? await spreadTables(client) : 0;
      if (count > 0) options.onWait?.(`${count} tables were distributed across the nodes`);
    },
    pauses: false,
  });
}

/**
 * Returns the migrations that come before a switch. The schema records none of them until it records the
 * switch, so that the previous version can still start if this process is killed or can't get a lock. Returns
 * an empty list for an empty database or if there is no switch.
 */
function aheadOfSwitch(migrations: readonly Migration[]): readonly Migration[] {
  const place = isOfEmpty(migrations) ? -1 : migrations.findIndex(({ isSwitch }) => isSwitch);
  return place === -1 ? [] : migrations.slice(0, place);
}

const isOfEmpty = ([first]: readonly Migration[]): boolean => first?.name.startsWith('0001_') ?? false;

const isAwaited =
  (prepared: ReadonlySet<string>, caughtUp: ReadonlySet<string>) =>
  ({ name }: Migration): boolean =>
    !prepared.has(name) && !caughtUp.has(name);

/**
 * Applies a migration while the previous version is running. A migration in steps remains open, since the
 * previous version may write more rows.
 */
async function applyAhead(client: pg.Client, migration: Migration, caughtUp: Set<string>): Promise<Step> {
  const turn = await apply(client, migration);
  if (turn.isDone && migration.isInSteps) caughtUp.add(migration.name);
  else if (turn.isDone) await recordPrepared(client, migration);
  return turn;
}

export interface Preparation {
  prepared: string[];
  /** Migration that requires the previous version to be stopped; null if there is none. */
  theSwitch: string | null;
}

/**
 * Performs the part of an upgrade that the running version supports: the migrations before the switch. They aren't
 * recorded in the schema, so that processes of the running version can restart. A migration in steps remains open, and
 * the next call or the upgrade processes the rows written after this call.
 * @throws OperatorError in the same cases as `migrate`
 */
export async function prepareUpgrade(
  connection: pg.ClientConfig,
  options: MigrateOptions = {},
): Promise<Preparation> {
  const caughtUp = new Set<string>();
  let theSwitch: string | null = null;
  const prepared = await migrating(connection, options, {
    next: ({ migrations, prepared: before }) => {
      if (isOfEmpty(migrations)) throw nothingToPrepare();
      const place = migrations.findIndex(({ isSwitch }) => isSwitch);
      theSwitch = migrations[place]?.name ?? null;
      const supported = place === -1 ? migrations : migrations.slice(0, place);
      return supported.find(isAwaited(before, caughtUp)) ?? null;
    },
    async take(client, migration) {
      const turn = await applyAhead(client, migration, caughtUp);
      return { ...turn, applied: turn.isDone ? [turn.name] : [] };
    },
    finish: async () => undefined,
    pauses: true,
  });
  return { prepared, theSwitch };
}

const nothingToPrepare = (): OperatorError =>
  new OperatorError(`The database is empty, so there is nothing to prepare. Run \`${asTyped('migrate')}\`.`);

interface Step {
  name: string;
  isDone: boolean;
  rows: number;
}

interface Turn extends Step {
  /** Migrations that this turn completed. */
  applied: readonly string[];
}

const doneAtOnce = ({ name }: Migration): Step => ({ name, isDone: true, rows: 0 });

interface Way {
  next(pending: Pending): Migration | null;
  take(client: pg.Client, migration: Migration, pending: Pending): Promise<Turn>;
  /** Called in its own commit when no migrations are left. */
  finish(client: pg.Client): Promise<void>;
  /** True if the service is using the database at the same time and should get half of its capacity. */
  pauses: boolean;
}

async function migrating(
  connection: pg.ClientConfig,
  { onWait = () => undefined, patienceMs: patience = patienceMs }: MigrateOptions,
  way: Way,
): Promise<string[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the running statement fails with the same error
  await client.connect();
  try {
    await requireOwnership(client, await ownRole(client));
    const done: string[] = [];
    const analyzed = new Set<string>();
    const report = progressOf(onWait);
    for (;;) {
      const startedAt = performance.now();
      const turn = await withPatience({ connection, client, patience, onWait, way, analyzed });
      if (turn === null) return done;
      done.push(...turn.applied);
      if (!turn.isDone) {
        report(turn);
        if (way.pauses) await sleep(performance.now() - startedAt);
      }
    }
  } finally {
    await client.end();
  }
}

function progressOf(report: (message: string) => void): (turn: Step) => void {
  let rows = 0;
  let reportedAt = performance.now();
  return (turn) => {
    rows += turn.rows;
    if (performance.now() - reportedAt < progressEveryMs) return;
    reportedAt = performance.now();
    report(`${turn.name}: ${rows} rows so far`);
  };
}

interface Migrating {
  connection: pg.ClientConfig;
  client: pg.Client;
  patience: number;
  onWait: (message: string) => void;
  way: Way;
  /** Migrations in steps that this process has already run `analyze` for. */
  analyzed: Set<string>;
}

/**
 * Takes the next turn, and retries it while locks are unavailable. @returns null when no migrations are left
 */
async function withPatience(migrating: Migrating): Promise<Turn | null> {
  const { patience, onWait } = migrating;
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const { turn, refused } = await takeTurn(migrating);
    if (refused === null) return turn;
    const need = `${refused.name} needs ${refused.waitedFor ?? 'a lock held by another session'}`;
    if (performance.now() - startedAt > patience)
      throw new OperatorError(
        `${need}, but did not get it within ${Math.round(patience / 1_000)} s. ${refused.kept} End the session that holds the lock, and run \`${asTyped('migrate')}\` again.`,
      );
    const pauseMs = Math.min(250 * 2 ** attempt, maxPauseMs) * (0.75 + Math.random() / 2);
    onWait(`${need}; letting other sessions through before the next attempt`);
    await sleep(pauseMs);
  }
}

interface Outcome {
  turn: Turn | null;
  /** Migration that didn't get a lock, and a sentence about the steps that were already applied. */
  refused: { name: string; waitedFor: string | null; kept: string } | null;
}

async function takeTurn({ connection, client, onWait, way, analyzed }: Migrating): Promise<Outcome> {
  // Only transaction-level advisory locks work through PgBouncer.
  await client.query('begin isolation level read committed');
  try {
    // The server, database or role may have default limits.
    await client.query(
      'set local lock_timeout = 0; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    const notice = setTimeout(() => onWait('waiting for another migration to finish'), migratorNoticeMs);
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber]).finally(() => clearTimeout(notice));
    await client.query(`set local lock_timeout = '${lockTimeout}'`);
    await prepareMigrationTable(client);
    const pending = await readPending(client);
    const next = way.next(pending);
    let turn: Turn | null = null;
    if (next !== null) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const { error, waitedFor } = await watchingLocks(connection, rows[0]?.pid ?? 0, async () => {
        // With statistics from before a large import, each step would read all of a publisher's rows for each row it
        // copies.
        if (next.isInSteps && !analyzed.has(next.name)) await client.query('analyze');
        analyzed.add(next.name);
        turn = await way.take(client, next, pending);
      });
      if (error !== null) {
        if (!isLockRefused(error)) throw error;
        await client.query('rollback');
        const kept = next.isInSteps ? 'Its earlier steps remain applied.' : 'It was not applied.';
        return { turn: null, refused: { name: next.name, waitedFor, kept } };
      }
    } else await way.finish(client);
    await client.query('commit');
    return { turn, refused: null };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Runs a migration or one step of it. The last statement of a step returns `is_done` and the number of `rows`. */
async function apply(client: pg.Client, migration: Migration): Promise<Step> {
  const { name, sql, isInSteps } = migration;
  const spread = await readSpread(client);
  const results: unknown = spread.hasCitus ? await runOnCitus(client, sql, spread) : await client.query(sql);
  if (!isInSteps) return doneAtOnce(migration);
  const last = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult<{
    is_done: boolean;
    rows: string | number;
  }>;
  const [result] = last.rows;
  if (typeof result?.is_done !== 'boolean') throw new Error(`${name} does not return is_done`);
  return { name, isDone: result.is_done, rows: Number(result.rows) };
}

/** Returns whether the error is an unavailable lock or a deadlock, in which case a retry may succeed. */
const isLockRefused = (error: unknown): boolean => ['55P03', '40P01'].includes(sqlState(error) ?? '');
