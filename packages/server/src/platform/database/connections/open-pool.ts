import pg from 'pg';
import { boundedClient } from './bounded-client.ts';
import { LeftCommits } from './left-commits.ts';
import type { Limits } from './limits.ts';
import { leftMs } from './request-budget.ts';
import { prepareSession, type Session } from './session.ts';

// int8 stores money. It is a bigint in code and is converted to a JSON number only in responses.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

export interface PoolsOptions {
  connection: pg.ClientConfig;
  session: Session;
  applicationName: string;
  /** Called when an idle connection breaks, before the pool replaces it. */
  onIdleError?: ((error: Error) => void) | undefined;
}

export interface Pools {
  /**
   * Opens a pool of up to `max` connections.
   * @param isShared true for the request pool, whose queries may only use the time their request has left
   */
  open(max: number, limits: Limits, isShared?: boolean): pg.Pool;
  close(): Promise<void>;
}

/**
 * Prepares connection pools for one server. Only the application's name is sent at startup, because PgBouncer rejects
 * other parameters.
 */
export function openPools({ connection, session, applicationName, onIdleError }: PoolsOptions): Pools {
  const pools: pg.Pool[] = [];
  let isClosing = false;
  return {
    open(max, limits, isShared = false) {
      const leftCommits = new LeftCommits();
      const pool = new pg.Pool({
        ...connection,
        types,
        application_name: applicationName,
        connectionTimeoutMillis: limits.connectMs,
        keepAlive: true,
        max,
        Client: boundedClient({
          answerMs: limits.answerMs,
          ssl: connection.ssl,
          session,
          leftCommits,
          ...(isShared && { leftMs }),
        }) as unknown as new () => pg.Client,
        onConnect: async (client) => {
          await prepareSession(client, session, limits);
          await leftCommits.refuseTooMany(client, max);
        },
      });
      // The pool doesn't listen for errors on a connection in use. The query fails anyway, but a broken connection can
      // emit several errors, and an unhandled error event would end the process.
      pool.on('connect', (client) => client.on('error', () => undefined));
      pool.on('error', (error) => {
        // A closing pool doesn't wait for its connections to close, so the database may stop first.
        if (!isClosing) onIdleError?.(error);
      });
      pools.push(pool);
      return pool;
    },
    async close() {
      isClosing = true;
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}
