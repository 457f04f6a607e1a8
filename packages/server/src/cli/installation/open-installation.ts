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

/** The database an installation lives in, reached. */
export interface Installation extends DatabaseRoles {
  /** Without keys where DATABASE_URL is set and SECRETS_KEY is not. */
  sealer: Sealer;
  /** What the sealer has. */
  keys: readonly Buffer[];
  isEmbedded: boolean;
  /** Stops what was started to reach it. */
  close(): Promise<void>;
}

const clusterDirectory = (config: Config): string => join(config.dataDir, 'postgres');

/**
 * Reaches the database that DATABASE_URL names, or starts the embedded one and keeps its folder to itself.
 * @throws FolderInUseError when another process runs the embedded one
 */
export async function startInstallation(
  config: Config,
  options: Pick<ClusterOptions, 'onChange' | 'keepsReserve'> = {},
): Promise<Installation> {
  if (config.databaseUrl !== null) return remote(config.databaseUrl, config);
  postgresBinaries(); // where there is none, that is told, and not what is wrong with the folder
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
 * The same for a command that must be alone: other commands wait until it is done, instead of using its database.
 * @throws FolderInUseError
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
// Held shared by each command that uses another one's database: any number, the same in every process.
const guestLock = 7_301_986_143;

/**
 * The same for a short command: beside a running server, or another command, it uses that one's database.
 * A command that started the database itself stops it when its guests are done.
 */
export async function joinInstallation(config: Config): Promise<Installation> {
  const deadline = performance.now() + joinTimeoutMs;
  for (;;) {
    try {
      const installation = await startInstallation(config);
      return installation.isEmbedded ? untilGuestsLeave(installation) : installation;
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      // The other process may be starting its database this moment, or stopping it.
      const guest = await enterRunning(config);
      if (guest !== null) return guest;
      if (performance.now() > deadline) {
        throw new OperatorError(`${error.message}, but its database does not answer`, { cause: error });
      }
      await sleep(100);
    }
  }
}

/** @returns null when no database runs in the folder, or when it is about to stop */
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

function untilGuestsLeave(installation: Installation): Installation {
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
        // Then the database is stopped as it is.
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

/** @throws OperatorError when the folder cannot be one, or cannot be written */
function openFolder(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true });
    return lockWithRoom(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof OperatorError) throw error;
    throw new OperatorError(
      code === 'EEXIST' || code === 'ENOTDIR'
        ? `DATA_DIR is ${dataDir}, and that, or a part of it, is a file. Name a folder; it is made when it is not there.`
        : `DATA_DIR is ${dataDir}, and that folder cannot be used: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** On a full disk there may be no room for the lock either, but in the reserve. */
function lockWithRoom(dataDir: string): () => void {
  const path = join(dataDir, 'attribution.lock');
  try {
    return lockFolder(path);
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    new DiskReserve(dataDir).release();
    return lockFolder(path);
  }
}
