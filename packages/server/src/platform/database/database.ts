import { Kysely } from 'kysely';
import type pg from 'pg';
import { FairTurns } from '../work/fair-turns.ts';
import { BoundedDialect, fairPool } from './connections/fair-dialect.ts';
import {
  backgroundLimits,
  type Limits,
  lookupLimits,
  readinessLimits,
  recordingLimits,
  requestLimits,
  requestMs,
  requestOfStepsMs,
} from './connections/limits.ts';
import { openPools } from './connections/open-pool.ts';
import { dataAgeMs, noteSeen, withBudget } from './connections/request-budget.ts';
import type { Session } from './connections/session.ts';
import { ReadOnlyError } from './database-errors.ts';
import type { OpenTables } from './program-tables.ts';
import { openReplica, type Replica, type ReplicaOptions } from './replica/open-replica.ts';

/** Typed access to the tables. Set-based statements use Kysely's `sql`. */
export type Db = Kysely<OpenTables>;

/**
 * Connections of one process. Work that must not wait has its own pools, so that reports, long locks or busy publishers
 * can't use up its connections (docs/adr/0015-connections.md).
 */
export interface Database {
  /**
   * Connections for reads and writes by requests and commands, shared fairly among publishers
   * (`forPublisher`).
   */
  readonly db: Db;
  /**
   * Connections for reports (totals, rankings and exports), whose data may be a few seconds old. Reports are read
   * from the replica while it keeps up. Without a replica, this is `db` (docs/adr/0043-growing.md).
   */
  readonly reports: Db;
  /** Connections for lists of purchases: `reports` if DATABASE_READ_LISTS is set, otherwise `db`. */
  readonly lists: Db;
  /** Read replica; null if DATABASE_READ_URL isn't set. */
  readonly replica: Replica | null;
  /** Returns the age of the oldest replica data that the current request has read, or null if it hasn't read any. */
  readonly dataAgeMs: () => number | null;
  /** Announces that the current request is about to read from `reports`. */
  readonly expectReports: () => void;
  /** Connections for the short reads at the start of every request: keys, programs, codes and SKUs. */
  readonly lookups: Db;
  /** Connections for work that no client is waiting for, such as posting and webhooks. */
  readonly background: Db;
  /** Pool behind `background`, for named statements. */
  readonly backgroundPool: pg.Pool;
  readonly recording: pg.Pool;
  /** Pool `recording` as a `Db`, for the few recordings that need a transaction. */
  readonly recordingDb: Db;
  /**
   * Runs a request's work on behalf of a publisher. Publishers take turns using the connections of `db`. The
   * work may take no longer than the limit for a request.
   * @param publisherId null for a request without a publisher
   */
  readonly forPublisher: <Result>(publisherId: string | null, work: () => Result) => Result;
  /** Resolves when the database responds and accepts writes. Uses a separate connection. */
  readonly checkReadiness: () => Promise<void>;
  readonly usage: () => PoolUsage;
  readonly close: () => Promise<void>;
}

export interface PoolUsage {
  total: number;
  idle: number;
  waiting: number;
}

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  poolSize: number;
  /** Number of concurrent recording commits. `recording` has extra connections for slow commits. */
  recordLanes: number;
  applicationName: string;
  replica?: ReplicaOptions | undefined;
  /** Limits for queries on `db`. Defaults to the limits of HTTP requests. */
  limits?: Limits;
  /** Maximum database time of a request. Defaults to `requestMs`. */
  requestMs?: number;
  /** Called when an idle connection breaks, before the pool replaces it. */
  onIdleError?: (error: Error) => void;
}

/** Lookups take a millisecond and are rare once the caches are filled. */
const lookupConnections = 3;
/** Webhook delivery uses up to four connections at once, and each of the other workers uses one. */
const backgroundConnections = 6;
/** Maximum number of requests waiting for a connection. Any others are rejected immediately. */
const maxWaiting = 2_000;
/**
 * Connections per lane. A lane uses more than one connection only if its current commit is slow and it
 * therefore starts another commit (attributions/record/record-queue.ts).
 */
const connectionsPerLane = 3;

/** Creates the pools. Connections are opened on first use, but checks of a replica start immediately. */
export function openDatabase(options: DatabaseOptions): Database {
  const { limits = requestLimits, connection, applicationName, onIdleError, poolSize } = options;
  const session: Session = { isPooled: false };
  const pools = openPools({ connection, session, applicationName, onIdleError });
  const requests = pools.open(poolSize, limits, true);
  const turns = new FairTurns({ maxRunning: poolSize, maxWaiting });
  const lookups = pools.open(lookupConnections, lookupLimits);
  const background = pools.open(backgroundConnections, backgroundLimits);
  const recording = pools.open(options.recordLanes * connectionsPerLane, recordingLimits);
  const readiness = pools.open(1, readinessLimits);
  let checking: Promise<void> | null = null; // shared by concurrent callers
  const tables = (dialect: BoundedDialect): Db => new Kysely<OpenTables>({ dialect });
  const inTurns = new BoundedDialect(fairPool(requests, turns, limits.connectMs), session, limits);
  const db = tables(inTurns);
  const replica =
    options.replica === undefined
      ? null
      : openReplica(options.replica, {
          driver: inTurns.createDriver(),
          readiness,
          applicationName,
          poolSize,
          maxWaiting,
          limits,
        });
  const reports = replica?.reports ?? db;
  return {
    db,
    reports,
    lists: options.replica?.servesLists === true ? reports : db,
    replica,
    dataAgeMs,
    expectReports: () => {
      if (replica?.state() === 'used') noteSeen(replica.seenAtMs());
    },
    lookups: tables(new BoundedDialect(lookups, session, lookupLimits)),
    background: tables(new BoundedDialect(background, session, backgroundLimits)),
    backgroundPool: background,
    recording,
    recordingDb: tables(new BoundedDialect(recording, session, recordingLimits)),
    forPublisher(publisherId, work) {
      const stepMs = options.requestMs ?? requestMs;
      const now = performance.now();
      const times = { endsAtMs: now + stepMs, stepMs, lastMs: now + requestOfStepsMs };
      return withBudget({ tenant: publisherId ?? '', ...times }, work);
    },
    checkReadiness: () => {
      checking ??= checkReadiness(readiness).finally(() => {
        checking = null;
      });
      return checking;
    },
    usage: () => ({
      total: requests.totalCount,
      idle: requests.idleCount,
      waiting: turns.waitingCount + requests.waitingCount,
    }),
    async close() {
      await Promise.all([replica?.close(), pools.close()]);
    },
  };
}

async function checkReadiness(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ is_read_only: boolean }>(
    "select current_setting('transaction_read_only')::boolean as is_read_only",
  );
  if (rows[0]?.is_read_only !== false) throw new ReadOnlyError();
}
