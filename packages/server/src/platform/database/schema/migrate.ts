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
  /** Told when a migration has to wait and for whom, and how far one in steps is. */
  onWait?: (message: string) => void;
  /** Time during which a migration that does not get its locks is retried; 60 s when absent. */
  patienceMs?: number;
}

const lockNumber = 7_301_986_142; // any number, the same in every process: one migrator at a time
/** Whatever else wants a table waits behind a migration that waits for it, so it waits briefly and steps back. */
const lockTimeout = '2s';
const patienceMs = 60_000;
const longestPauseMs = 5_000;
/** Another migrator may work for long; nothing waits behind one that waits for it. */
const migratorNoticeMs = 60_000;
const progressEveryMs = 5_000;

/**
 * Brings a schema up to date, one commit a migration, or a step of one; any number of processes may do so at once, and
 * one that was killed is gone on from. A migration waits two seconds for a lock, then lets others through and tries
 * again. A newer schema on which this program may run is left as it is.
 * @returns the names of the migrations it applied
 * @throws OperatorError when the schema is of a different build or too new, or a lock was not to be had
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
      if (count > 0) options.onWait?.(`${count} tables were spread over the nodes`);
    },
    pauses: false,
  });
}

/**
 * Returns the migrations before a switch. The schema records them with the switch and not earlier: after a kill or a refused
 * lock the previous version can start again. Returns none for an empty database, or where there is no switch.
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

/** Applies one beneath the program of before. One in steps stays open, for that program may go on. */
async function applyAhead(client: pg.Client, migration: Migration, caughtUp: Set<string>): Promise<Step> {
  const turn = await apply(client, migration);
  if (turn.isDone && migration.isInSteps) caughtUp.add(migration.name);
  else if (turn.isDone) await recordPrepared(client, migration);
  return turn;
}

/** Work done ahead of an upgrade. */
export interface Preparation {
  /** The migrations that were applied, or gone on with, now. */
  prepared: string[];
  /** The one for which the program before has to stop; null when none is to come. */
  theSwitch: string | null;
}

/**
 * Does of an upgrade what the program that serves bears: migrations up to the switch, without saying in the schema that
 * they are there, so that a process of that program can start again. One in steps stays open: the next call, and the
 * upgrade, go on with what came since.
 * @throws OperatorError as `migrate`
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
      const borne = place === -1 ? migrations : migrations.slice(0, place);
      return borne.find(isAwaited(before, caughtUp)) ?? null;
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
  new OperatorError(`The database is empty; there is nothing to prepare. Run \`${asTyped('migrate')}\`.`);

/** One commit of a migration, or a step of one. */
interface Step {
  name: string;
  isDone: boolean;
  /** Number of rows a step took. */
  rows: number;
}

interface Turn extends Step {
  /** The migrations that are done by it, to whoever asked for them. */
  applied: readonly string[];
}

const doneAtOnce = ({ name }: Migration): Step => ({ name, isDone: true, rows: 0 });

/** Strategy for upgrading a schema. */
interface Way {
  next(pending: Pending): Migration | null;
  take(client: pg.Client, migration: Migration, pending: Pending): Promise<Turn>;
  /** Called, in a commit of its own, when nothing is left to take. */
  finish(client: pg.Client): Promise<void>;
  /** True when the service uses the database at the same time and gets half of it. */
  pauses: boolean;
}

async function migrating(
  connection: pg.ClientConfig,
  { onWait = () => undefined, patienceMs: patience = patienceMs }: MigrateOptions,
  way: Way,
): Promise<string[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the statement under way fails too, and says so
  await client.connect();
  try {
    await requireOwnership(client, await ownRole(client));
    const done: string[] = [];
    const tell = progressOf(onWait);
    for (;;) {
      const startedAt = performance.now();
      const turn = await withPatience({ connection, client, patience, onWait, way });
      if (turn === null) return done;
      done.push(...turn.applied);
      if (!turn.isDone) {
        tell(turn);
        if (way.pauses) await sleep(performance.now() - startedAt);
      }
    }
  } finally {
    await client.end();
  }
}

function progressOf(tell: (message: string) => void): (turn: Step) => void {
  let rows = 0;
  let toldAt = performance.now();
  return (turn) => {
    rows += turn.rows;
    if (performance.now() - toldAt < progressEveryMs) return;
    toldAt = performance.now();
    tell(`${turn.name}: ${rows} rows, and more to come`);
  };
}

interface Migrating {
  connection: pg.ClientConfig;
  client: pg.Client;
  patience: number;
  onWait: (message: string) => void;
  way: Way;
}

/** Takes the next turn, however often that has to be tried. @returns null when nothing is left to do */
async function withPatience(migrating: Migrating): Promise<Turn | null> {
  const { patience, onWait } = migrating;
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const { turn, refused } = await takeTurn(migrating);
    if (refused === null) return turn;
    const words = `${refused.name} needs ${refused.waitedFor ?? 'a lock that somebody else has'}`;
    if (performance.now() - startedAt > patience)
      throw new OperatorError(
        `${words}, and did not get it within ${Math.round(patience / 1_000)} s. ${refused.kept}: end what holds the lock, and run \`${asTyped('migrate')}\` again.`,
      );
    const pauseMs = Math.min(250 * 2 ** attempt, longestPauseMs) * (0.75 + Math.random() / 2);
    onWait(`${words}; it lets others through and tries again`);
    await sleep(pauseMs);
  }
}

interface Outcome {
  turn: Turn | null;
  /** The migration that did not get a lock, and what of it there is. */
  refused: { name: string; waitedFor: string | null; kept: string } | null;
}

async function takeTurn({ connection, client, onWait, way }: Migrating): Promise<Outcome> {
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
    const pending = await readPending(client);
    const next = way.next(pending);
    let turn: Turn | null = null;
    if (next !== null) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const { error, waitedFor } = await watchingLocks(connection, rows[0]?.pid ?? 0, async () => {
        turn = await way.take(client, next, pending);
      });
      if (error !== null) {
        if (!isLockRefused(error)) throw error;
        await client.query('rollback');
        const kept = next.isInSteps ? 'The steps before stay' : 'Nothing of it was applied';
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

/** Runs a migration, or one step of it, which says at its end whether it was the last: `is_done`, and how many `rows`. */
async function apply(client: pg.Client, migration: Migration): Promise<Step> {
  const { name, sql, isInSteps } = migration;
  const spread = await readSpread(client);
  const results: unknown = spread.hasCitus ? await runOnCitus(client, sql, spread) : await client.query(sql);
  if (!isInSteps) return doneAtOnce(migration);
  const last = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult<{
    is_done: boolean;
    rows: string | number;
  }>;
  const [said] = last.rows;
  if (typeof said?.is_done !== 'boolean') throw new Error(`${name} does not say whether it is done`);
  return { name, isDone: said.is_done, rows: Number(said.rows) };
}

/** A lock or a deadlock: the same migration may go through. */
const isLockRefused = (error: unknown): boolean => ['55P03', '40P01'].includes(sqlState(error) ?? '');
