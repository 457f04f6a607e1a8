import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../platform/config.ts';
import { FolderInUseError, lockFolder } from '../platform/database/data-folder-lock.ts';
import {
  type ClusterOptions,
  connectionToRunning,
  startCluster,
} from '../platform/database/embedded-cluster.ts';

/** The database an installation lives in, reached. */
export interface Installation {
  connection: pg.ClientConfig;
  isEmbedded: boolean;
  /** Stops what was started to reach it. */
  close(): Promise<void>;
}

const clusterDirectory = (config: Config): string => join(config.dataDir, 'postgres');
const lockPath = (config: Config): string => join(config.dataDir, 'attribution.lock');

/**
 * Reaches the database that DATABASE_URL names, or starts the embedded one and keeps its folder to itself.
 * @throws FolderInUseError when another process runs the embedded one
 */
export async function startInstallation(
  config: Config,
  events: Pick<ClusterOptions, 'onCrash' | 'onLost'> = {},
): Promise<Installation> {
  if (config.databaseUrl !== null) return remote(config.databaseUrl);
  mkdirSync(config.dataDir, { recursive: true });
  const unlock = lockFolder(lockPath(config));
  try {
    const cluster = await startCluster({ directory: clusterDirectory(config), ...events });
    return {
      connection: cluster.connection,
      isEmbedded: true,
      async close() {
        await cluster.stop();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The same for a short command: beside a running server it uses that one's embedded database. */
export async function joinInstallation(config: Config): Promise<Installation> {
  try {
    return await startInstallation(config);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return {
      connection: await connectionOfRunning(config, error),
      isEmbedded: true,
      close: async () => undefined,
    };
  }
}

/** The other process may be starting its database this moment. */
async function connectionOfRunning(config: Config, inUse: FolderInUseError): Promise<pg.ClientConfig> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const connection = connectionToRunning(clusterDirectory(config));
    if (connection !== null && (await answers(connection))) return connection;
    await sleep(200);
  }
  throw new Error(`${inUse.message}, but its database does not answer`);
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

const remote = (databaseUrl: string): Installation => ({
  connection: { connectionString: databaseUrl },
  isEmbedded: false,
  close: async () => undefined,
});
