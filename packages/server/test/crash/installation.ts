import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startCluster } from '../../src/platform/database/embedded/embedded-cluster.ts';
import type { DatabaseRoles } from '../../src/platform/database/schema/prepare-database.ts';
import { type AttributionServer, startServer, until } from '../attribution-process.ts';

/** Cluster that restarts whenever it is killed. */
export interface KeptCluster extends DatabaseRoles {
  readonly directory: string;
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** Longest wait for the database. On a busy machine, a start may time out and have to be repeated. */
const maxWaitMs = 180_000;

export async function keepCluster(directory: string): Promise<KeptCluster> {
  const cluster = await startCluster({ directory });
  const { connection, ownerConnection } = cluster;
  return {
    directory,
    connection,
    ownerConnection,
    ready: async () => {
      const answers = async (): Promise<boolean> => (await asSuperuser(connection, 'select 1')) !== null;
      await until('the database to answer', answers, undefined, maxWaitMs);
    },
    stop: () => cluster.stop(),
  };
}

/** Runs a statement as superuser. @returns the rows; null if the database does not respond */
export async function asSuperuser<Row>(
  connection: pg.ClientConfig,
  statement: string,
): Promise<Row[] | null> {
  const client = superuser(connection);
  try {
    await client.connect();
    return (await client.query(statement)).rows as Row[];
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns an unconnected superuser client with short timeouts. */
export function superuser(connection: pg.ClientConfig): pg.Client {
  const client = new pg.Client({
    ...connection,
    user: 'postgres',
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  });
  client.on('error', () => undefined);
  return client;
}

/** API process that restarts whenever it is killed. */
export interface KeptApi {
  url(): string;
  ready(): Promise<void>;
  /** Kills the process with SIGKILL. */
  kill(): void;
  stop(): Promise<{ code: number | null; stderr: string }>;
}

export async function keepApi(environment: Record<string, string>): Promise<KeptApi> {
  let isStopping = false;
  let server: AttributionServer = await startServer(environment);
  const keep = async (): Promise<void> => {
    while (!isStopping) {
      const { signal, code } = await server.ended;
      if (signal !== 'SIGKILL' && !isStopping)
        throw new Error(`an API process ended by itself with ${code}: ${server.stderr()}`);
      while (!isStopping) {
        try {
          server = await startServer(environment);
          break;
        } catch {
          await sleep(100); // the process ends while the database is down
        }
      }
    }
  };
  const keeping = keep();
  const died = keeping.then(() => new Promise<never>(() => undefined));
  died.catch(() => undefined); // ready() and stop() report it
  return {
    url: () => server.url,
    ready: async () => {
      await until(
        'an API process to serve',
        () =>
          fetch(`${server.url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        died,
      );
    },
    kill: () => server.kill('SIGKILL'),
    async stop() {
      isStopping = true;
      server.kill('SIGTERM');
      const { code, stderr } = await server.ended;
      await keeping;
      return { code, stderr };
    },
  };
}
