import pg from 'pg';
import { boundedClient } from './bounded-client.ts';
import { LeftCommits } from './left-commits.ts';
import type { Limits } from './limits.ts';
import { leftMs } from './on-behalf-of.ts';
import { prepareSession, type Session } from './session.ts';

// int8 holds money: exact in code, turned into a JSON number at the edge.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

/** Options shared by all connections of a process to one server. */
export interface PoolsOptions {
  connection: pg.ClientConfig;
  session: Session;
  applicationName: string;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onIdleError?: ((error: Error) => void) | undefined;
}

export interface Pools {
  /** @param isShared whether requests wait for its answers, as long as is left to them */
  open(max: number, limits: Limits, isShared?: boolean): pg.Pool;
  close(): Promise<void>;
}

/** No start-up parameters beyond the name are sent, because PgBouncer refuses them. */
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
      // A connection in use has no listener of the pool's. Its query fails by itself; but a broken connection can
      // report more than one error, and one that nobody listens to ends the process.
      pool.on('connect', (client) => client.on('error', () => undefined));
      pool.on('error', (error) => {
        // A pool does not wait for its connections' goodbyes, and the database may stop before they arrive.
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
