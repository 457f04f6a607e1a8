import { Kysely } from 'kysely';
import pg from 'pg';
import { FairTurns } from '../work/fair-turns.ts';
import { boundedClient } from './connections/bounded-client.ts';
import { BoundedDialect, fairPool } from './connections/fair-dialect.ts';
import {
  backgroundLimits,
  type Limits,
  lookupLimits,
  readinessLimits,
  recordingLimits,
  requestLimits,
  requestMs,
} from './connections/limits.ts';
import { leftMs, onBehalfOf } from './connections/on-behalf-of.ts';
import { prepareSession, type Session } from './connections/session.ts';
import { ReadOnlyError } from './database-errors.ts';
import type { OpenTables } from './programme-tables.ts';

/** Typed access to the tables; `sql` of Kysely for statements that work on sets. */
export type Db = Kysely<OpenTables>;

/**
 * One process's connections. What must not wait for something else has connections of its own, so that no report,
 * no long lock and no busy publisher can take them (docs/adr/0015-connections.md).
 */
export interface Database {
  /** What requests and commands read and write; shared out among publishers (`forPublisher`). */
  readonly db: Db;
  /** Keys, programmes, codes and SKUs: what every request needs before it can do anything. Short reads alone. */
  readonly lookups: Db;
  /** Settlement, webhooks and the other work that nobody waits for. */
  readonly background: Db;
  /** The connections behind `background`, for statements with a name. */
  readonly backgroundPool: pg.Pool;
  /** Recording of purchases. */
  readonly recording: pg.Pool;
  /** The same connections, for the few recordings that need a transaction. */
  readonly recordingDb: Db;
  /**
   * Runs a request's work on behalf of a publisher: it gets `db`'s connections in its turn, and no answer later than
   * a request may wait for one.
   * @param publisherId null for a request that none has made
   */
  readonly forPublisher: (publisherId: string | null, work: () => void) => void;
  /** Resolves when the database answers and takes changes, on a connection that nothing else uses. */
  readonly askReadiness: () => Promise<void>;
  /** Of the connections behind `db`. */
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
  /** What queries of `db` may take; what answers HTTP when absent. */
  limits?: Limits;
  /** What a request may take in all. */
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

// int8 holds money: exact in code, turned into a JSON number at the edge.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

/**
 * Opens nothing yet: connections are made when first needed.
 * No start-up parameters beyond the name are sent, because PgBouncer refuses them.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const session: Session = { isPooled: false };
  const pools: pg.Pool[] = [];
  let isClosing = false;
  const openPool = (max: number, limits: Limits, isShared = false): pg.Pool => {
    const pool = new pg.Pool({
      ...options.connection,
      types,
      application_name: options.applicationName,
      connectionTimeoutMillis: limits.connectMs,
      keepAlive: true,
      max,
      Client: boundedClient({
        answerMs: limits.answerMs,
        ssl: options.connection.ssl,
        session,
        ...(isShared && { leftMs }),
      }) as unknown as new () => pg.Client,
      onConnect: (client) => prepareSession(client, session, limits),
    });
    // A connection in use has no listener of the pool's. Its query fails by itself; but a broken connection can
    // report more than one error, and one that nobody listens to ends the process.
    pool.on('connect', (client) => client.on('error', () => undefined));
    pool.on('error', (error) => {
      // A pool does not wait for its connections' goodbyes, and the database may stop before they arrive.
      if (!isClosing) options.onIdleError?.(error);
    });
    pools.push(pool);
    return pool;
  };

  const { limits = requestLimits } = options;
  const requests = openPool(options.poolSize, limits, true);
  const turns = new FairTurns({ places: options.poolSize, waitingPlaces });
  const lookups = openPool(lookupConnections, lookupLimits);
  const background = openPool(backgroundConnections, backgroundLimits);
  const recording = openPool(options.recordLanes * connectionsPerLane, recordingLimits);
  const readiness = openPool(1, readinessLimits);
  let asking: Promise<void> | null = null; // those who ask at once share the answer
  const tables = (dialect: BoundedDialect): Db => new Kysely<OpenTables>({ dialect });
  return {
    db: tables(new BoundedDialect(fairPool(requests, turns, limits.connectMs), session, limits)),
    lookups: tables(new BoundedDialect(lookups, session, lookupLimits)),
    background: tables(new BoundedDialect(background, session, backgroundLimits)),
    backgroundPool: background,
    recording,
    recordingDb: tables(new BoundedDialect(recording, session, recordingLimits)),
    forPublisher(publisherId, work) {
      const endsAtMs = performance.now() + (options.requestMs ?? requestMs);
      onBehalfOf({ holder: publisherId ?? '', endsAtMs }, work);
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
      isClosing = true;
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

async function askReadiness(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ is_read_only: boolean }>(
    "select current_setting('transaction_read_only')::boolean as is_read_only",
  );
  if (rows[0]?.is_read_only !== false) throw new ReadOnlyError();
}
