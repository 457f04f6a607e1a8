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
import { dataAgeMs, noteSeen, onBehalfOf } from './connections/on-behalf-of.ts';
import { openPools } from './connections/open-pool.ts';
import type { Session } from './connections/session.ts';
import { ReadOnlyError } from './database-errors.ts';
import type { OpenTables } from './program-tables.ts';
import { openReplica, type Replica, type ReplicaOptions } from './replica/open-replica.ts';

/** Typed access to the tables; `sql` of Kysely for statements that work on sets. */
export type Db = Kysely<OpenTables>;

/**
 * One process's connections. What must not wait for something else has connections of its own, so that no report,
 * no long lock and no busy publisher can take them (docs/adr/0015-connections.md).
 */
export interface Database {
  /** Connections for reads and writes of requests and commands; shared out among publishers (`forPublisher`). */
  readonly db: Db;
  /**
   * Connections for reports, which may be some seconds old: sums, rankings, exports. They read from a replica that keeps
   * up, and are `db` where there is none (docs/adr/0043-growing.md).
   */
  readonly reports: Db;
  /** Lists of purchases: `reports` where the operator says so, else `db`. */
  readonly lists: Db;
  /** Null without DATABASE_READ_URL. */
  readonly replica: Replica | null;
  /** Greatest age of the replica's data that the current request has read; null when it has read none. */
  readonly dataAgeMs: () => number | null;
  /** Says that the request at work answers from `reports` what it has not read yet. */
  readonly expectReports: () => void;
  /** Keys, programs, codes and SKUs: what every request needs before it can do anything. Short reads alone. */
  readonly lookups: Db;
  /** Settlement, webhooks and the other work that nobody waits for. */
  readonly background: Db;
  /** The connections behind `background`, for statements with a name. */
  readonly backgroundPool: pg.Pool;
  /** Recording of purchases. */
  readonly recording: pg.Pool;
  /** Connections of `recording`, for the few recordings that need a transaction. */
  readonly recordingDb: Db;
  /**
   * Runs a request's work on behalf of a publisher: it gets `db`'s connections in its turn, and no answer later than
   * a request may wait for one.
   * @param publisherId null for a request that none has made
   */
  readonly forPublisher: (publisherId: string | null, work: () => void) => void;
  /** Resolves when the database answers and takes changes, on a connection that nothing else uses. */
  readonly askReadiness: () => Promise<void>;
  /** Use of the connections behind `db`. */
  readonly usage: () => PoolUsage;
  readonly close: () => Promise<void>;
}

export interface PoolUsage {
  total: number;
  idle: number;
  /** Queries that wait for a connection. */
  waiting: number;
}

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  /** Connections for `db`. */
  poolSize: number;
  /** Commits that record at once; `recording` has connections for those that take long besides. */
  recordLanes: number;
  applicationName: string;
  /** Replica from which `reports` are read. */
  replica?: ReplicaOptions | undefined;
  /** Limits for queries of `db`; those for answering HTTP when absent. */
  limits?: Limits;
  /** Longest database time of a request in all. */
  requestMs?: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onIdleError?: (error: Error) => void;
}

/** Look-ups take a millisecond, and warm processes make few. */
const lookupConnections = 3;
/** Delivery of webhooks asks four things at once; settlement, bounties, schedules and purging one each. */
const backgroundConnections = 6;
/** Requests that wait for a connection; more are refused at once. */
const waitingPlaces = 2_000;
/** Opened only when commits take so long that others begin beside them (attributions/record/record-queue.ts). */
const connectionsPerLane = 3;

/** Opens nothing yet: connections are made when first needed. A replica alone is looked at from the first on. */
export function openDatabase(options: DatabaseOptions): Database {
  const { limits = requestLimits, connection, applicationName, onIdleError, poolSize } = options;
  const session: Session = { isPooled: false };
  const pools = openPools({ connection, session, applicationName, onIdleError });
  const requests = pools.open(poolSize, limits, true);
  const turns = new FairTurns({ places: poolSize, waitingPlaces });
  const lookups = pools.open(lookupConnections, lookupLimits);
  const background = pools.open(backgroundConnections, backgroundLimits);
  const recording = pools.open(options.recordLanes * connectionsPerLane, recordingLimits);
  const readiness = pools.open(1, readinessLimits);
  let asking: Promise<void> | null = null; // those who ask at once share the answer
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
          waitingPlaces,
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
      const errand = { endsAtMs: now + stepMs, stepMs, lastMs: now + requestOfStepsMs };
      onBehalfOf({ holder: publisherId ?? '', ...errand }, work);
    },
    askReadiness: () => {
      asking ??= askReadiness(readiness).finally(() => {
        asking = null;
      });
      return asking;
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

async function askReadiness(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ is_read_only: boolean }>(
    "select current_setting('transaction_read_only')::boolean as is_read_only",
  );
  if (rows[0]?.is_read_only !== false) throw new ReadOnlyError();
}
