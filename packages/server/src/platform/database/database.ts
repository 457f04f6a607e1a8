import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.generated.ts';

/** Typed access to the tables; `sql` of Kysely for statements that work on sets. */
export type Db = Kysely<Tables>;

/** One process's connections. Recording has a pool of its own, so that no report can starve it. */
export interface Database {
  readonly db: Db;
  readonly recording: pg.Pool;
  /** The connections behind `db`, for statements with a name. */
  readonly pool: pg.Pool;
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
  poolSize: number;
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

// int8 holds money: exact in code, turned into a JSON number at the edge.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

/**
 * Opens nothing yet: connections are made when first needed.
 * No start-up parameters beyond the name are sent, because PgBouncer refuses them.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const shared = {
    ...options.connection,
    types,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: options.queryTimeoutMs ?? queryTimeoutMs,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...shared, max: options.poolSize });
  const recording = new pg.Pool({ ...shared, max: options.recordLanes });
  let isClosing = false;
  for (const each of [pool, recording]) {
    // A connection in use has no listener of the pool's. Its query fails by itself; but a broken connection can
    // report more than one error, and one that nobody listens to ends the process.
    each.on('connect', (client) => client.on('error', () => undefined));
    each.on('error', (error) => {
      // A pool does not wait for its connections' goodbyes, and the database may stop before they arrive.
      if (!isClosing) options.onIdleError?.(error);
    });
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    recording,
    pool,
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      isClosing = true;
      await Promise.all([db.destroy(), recording.end()]);
    },
  };
}
