import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../../platform/config.ts';
import { readConnection } from '../../platform/database/connections/read-connection.ts';
import { FolderInUseError, lockFolder } from '../../platform/database/embedded/data-folder-lock.ts';
import { DiskReserve, isOutOfRoom } from '../../platform/database/embedded/disk-reserve.ts';
import {
  type ClusterOptions,
  connectionsToRunning,
  startCluster,
} from '../../platform/database/embedded/embedded-cluster.ts';
import { postgresBinaries } from '../../platform/database/embedded/postgres-binaries.ts';
import type { DatabaseRoles } from '../../platform/database/schema/prepare-database.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { createSealer, type Sealer } from '../../platform/secrets/sealer.ts';
import { embeddedKeys } from '../../platform/secrets/secrets-keys.ts';

/** Open connection to an installation's database, with the keys for its secrets. */
export interface Installation extends DatabaseRoles {
  /** Sealer, which has no keys if DATABASE_URL is set but SECRETS_KEY is not. */
  sealer: Sealer;
  keys: readonly Buffer[];
  isEmbedded: boolean;
  /** Stops the database if this process started it. */
  close(): Promise<void>;
}

const clusterDirectory = (config: Config): string => join(config.dataDir, 'postgres');

/**
 * Prepares access to the database at DATABASE_URL, or locks the data folder and starts the embedded database.
 * @throws FolderInUseError when another process is running the embedded database
 */
export async function startInstallation(
  config: Config,
  options: Pick<ClusterOptions, 'onChange' | 'keepsReserve' | 'settings'> = {},
): Promise<Installation> {
  if (config.databaseUrl !== null) return remote(config.databaseUrl, config);
  postgresBinaries(); // first, so that missing binaries are reported before problems with the folder
  const unlock = openFolder(config.dataDir);
  try {
    const keys = embeddedKeys(config.dataDir, config.secretsKeys);
    const cluster = await startCluster({ directory: clusterDirectory(config), ...options });
    return {
      connection: cluster.connection,
      ownerConnection: cluster.ownerConnection,
      sealer: createSealer(keys),
      keys,
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

/**
 * Starts the installation for a command that needs exclusive access. Other commands wait for that command to
 * finish instead of sharing its database.
 * @throws FolderInUseError when another process is running the embedded database
 */
export async function ownInstallation(config: Config): Promise<Installation> {
  const installation = await startInstallation(config);
  if (!installation.isEmbedded) return installation;
  const client = new pg.Client(installation.connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [guestLock]);
  } catch (error) {
    await installation.close();
    throw error;
  }
  return {
    ...installation,
    async close() {
      await client.end().catch(() => undefined);
      await installation.close();
    },
  };
}

const joinTimeoutMs = 30_000;
/**
 * Advisory lock that a command holds in shared mode while it uses another process's database. The number is
 * arbitrary.
 */
const guestLock = 7_301_986_143;

/**
 * Opens the installation for a short command. If a service or another command is already running the embedded
 * database, connects to that database. The process that started the database stops it only after the other
 * commands that use it have finished.
 */
export async function joinInstallation(config: Config): Promise<Installation> {
  const deadline = performance.now() + joinTimeoutMs;
  for (;;) {
    try {
      const installation = await startInstallation(config);
      return installation.isEmbedded ? closeAfterGuests(installation) : installation;
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      // The other process may be starting or stopping its database right now.
      const guest = await enterRunning(config);
      if (guest !== null) return guest;
      if (performance.now() > deadline) {
        throw new OperatorError(`${error.message}, but its database is not responding`, { cause: error });
      }
      await sleep(100);
    }
  }
}

/**
 * Connects to the database that another process is running in the folder.
 * @returns null when no process is running a database there, or when the process is about to stop the
 *   database
 */
async function enterRunning(config: Config): Promise<Installation | null> {
  const running = connectionsToRunning(clusterDirectory(config));
  if (running === null) return null;
  const client = new pg.Client(running.connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock_shared($1)', [guestLock]);
  } catch {
    await client.end().catch(() => undefined);
    return null;
  }
  const keys = embeddedKeys(config.dataDir, config.secretsKeys);
  return { ...running, sealer: createSealer(keys), keys, isEmbedded: true, close: () => client.end() };
}

/**
 * Opens the installation of the supervisor that started this process, and outlives it.
 * @throws OperatorError if the supervisor's embedded database isn't running
 */
export async function openBeside(config: Config): Promise<Installation> {
  if (config.databaseUrl !== null) return remote(config.databaseUrl, config);
  const running = connectionsToRunning(clusterDirectory(config));
  if (running === null) throw new OperatorError(`No database is running in ${config.dataDir}.`);
  const keys = embeddedKeys(config.dataDir, config.secretsKeys);
  return { ...running, sealer: createSealer(keys), keys, isEmbedded: true, close: async () => undefined };
}

/** Makes `close` wait until the other commands that use this process's database have finished. */
function closeAfterGuests(installation: Installation): Installation {
  const { connection, close } = installation;
  return {
    ...installation,
    async close() {
      const client = new pg.Client(connection);
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query(`set lock_timeout = '60s'`);
        await client.query('select pg_advisory_lock($1)', [guestLock]);
      } catch {
        // If the lock isn't available in time, the database stops without waiting for the other commands.
      } finally {
        await close();
        await client.end().catch(() => undefined);
      }
    },
  };
}

const remote = async (
  databaseUrl: string,
  { databaseOwnerUrl, secretsKeys }: Config,
): Promise<Installation> => ({
  connection: await readConnection(databaseUrl),
  ownerConnection: await readConnection(databaseOwnerUrl ?? databaseUrl),
  sealer: createSealer(secretsKeys),
  keys: secretsKeys,
  isEmbedded: false,
  close: async () => undefined,
});

/**
 * Creates and locks the data folder.
 * @throws OperatorError when the path is not a folder or is not writable
 */
function openFolder(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true });
    return lockOrRelease(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof OperatorError) throw error;
    throw new OperatorError(
      code === 'EEXIST' || code === 'ENOTDIR'
        ? `DATA_DIR is ${dataDir}, but that path, or a part of it, is a file. Set it to a folder, which is created if it doesn't exist.`
        : `DATA_DIR is ${dataDir}, but that folder can't be used: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Locks the folder. On a full disk, first releases the reserve to make space for the lock file. */
function lockOrRelease(dataDir: string): () => void {
  const path = join(dataDir, 'attribution.lock');
  try {
    return lockFolder(path);
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    new DiskReserve(dataDir).release();
    return lockFolder(path);
  }
}
