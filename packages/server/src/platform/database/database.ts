import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.generated.ts';

/** Typed access to the tables; `sql` of Kysely for statements that work on sets. */
export type Db = Kysely<Tables>;

/**
 * One process's connections. What must not wait for something else has connections of its own, so that no report,
 * no long lock and no busy publisher can take them (docs/adr/0015-connections.md).
 */
export interface Database {
  /** What requests and commands read and write. */
  readonly db: Db;
  /** Keys, programmes, codes and SKUs: what every request needs before it can do anything. Short reads alone. */
  readonly lookups: Db;
  /** Settlement, webhooks and the other work that nobody waits for. */
  readonly background: Db;
  /** The connections behind `background`, for statements with a name. */
  readonly backgroundPool: pg.Pool;
  /** Recording of purchases. */
  readonly recording: pg.Pool;
  /** Resolves when the database answers, on a connection that nothing else uses. */
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
  /** Connections for `recording`. */
  recordLanes: number;
  applicationName: string;
  /** How long a query may take before its connection is given up; 30 s when absent. */
  queryTimeoutMs?: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onIdleError?: (error: Error) => void;
}

/** Nothing that a request waits for should need a second. */
const queryTimeoutMs = 30_000;
const connectTimeoutMs = 5_000;
/** Look-ups take a millisecond, and warm processes make few. */
const lookupConnections = 3;
/** Delivery of webhooks asks four things at once; settlement, bounties, schedules and purging one each. */
const backgroundConnections = 6;

// int8 holds money: exact in code, turned into a JSON number at the edge.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

/**
 * Opens nothing yet: connections are made when first needed.
 * No start-up parameters beyond the name are sent, because PgBouncer refuses them.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const pools: pg.Pool[] = [];
  let isClosing = false;
  const openPool = (max: number): pg.Pool => {
    const pool = new pg.Pool({
      ...options.connection,
      types,
      application_name: options.applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: options.queryTimeoutMs ?? queryTimeoutMs,
      keepAlive: true,
      max,
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
  const tables = (pool: pg.Pool): Db => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

  const requests = openPool(options.poolSize);
  const background = openPool(backgroundConnections);
  const readiness = openPool(1);
  return {
    db: tables(requests),
    lookups: tables(openPool(lookupConnections)),
    background: tables(background),
    backgroundPool: background,
    recording: openPool(options.recordLanes),
    async askReadiness() {
      await readiness.query('select 1');
    },
    usage: () => ({ total: requests.totalCount, idle: requests.idleCount, waiting: requests.waitingCount }),
    async close() {
      isClosing = true;
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}
