import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readConnection } from '../../../platform/database/connections/read-connection.ts';
import { startCluster } from '../../../platform/database/embedded/embedded-cluster.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import { socketUrl } from './create-backup.ts';

/** Temporary folder or database that a guard process removes. */
export type Scratch =
  | { kind: 'folder'; folder: string; cluster: string }
  | { kind: 'database'; url: string; database: string };

export interface ScratchDatabase {
  /** URL for the service's role. */
  url: string;
  /** URL for the role that owns the tables. */
  ownerUrl: string;
  /** Removes the database. If this process is killed first, the guard removes it. */
  close(): Promise<void>;
}

/**
 * Starts a temporary PostgreSQL cluster in the system's temporary folder.
 * @param neededBytes estimated size of the cluster
 * @throws OperatorError when there is not enough space
 */
export async function openScratchCluster(neededBytes: number): Promise<ScratchDatabase> {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < neededBytes)
    throw new OperatorError(
      `There is not enough space in ${tmpdir()}: ${gigabytes(bavail * bsize)} are free, and restoring may take ${gigabytes(neededBytes)}. Set TMPDIR to another folder, or specify a server with --scratch.`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'attribution-scratch-'));
  chmodSync(folder, 0o711); // when started by root, PostgreSQL runs as another user, which must be able to enter the folder
  const directory = join(folder, 'postgres');
  const remove = guard({ kind: 'folder', folder, cluster: directory });
  try {
    const cluster = await startCluster({ directory });
    return {
      url: socketUrl(cluster.connection),
      ownerUrl: socketUrl(cluster.ownerConnection),
      async close() {
        await cluster.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Creates a temporary database on a server. The role must be allowed to create databases. */
export async function openScratchDatabase(serverUrl: string): Promise<ScratchDatabase> {
  const database = `attribution_scratch_${randomBytes(6).toString('hex')}`;
  const remove = guard({ kind: 'database', url: serverUrl, database });
  const client = new pg.Client(await readConnection(serverUrl));
  client.on('error', () => undefined); // the running statement fails with the same error
  try {
    await client.connect();
    await client.query(`create database ${database} encoding 'UTF8' template template0`);
  } catch (error) {
    await remove();
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
  const url = serverUrl.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
  return { url, ownerUrl: url, close: remove };
}

const guardScript = fileURLToPath(new URL('scratch-guard.ts', import.meta.url));

/**
 * Starts a guard process that removes the scratch folder or database when this process ends.
 * @returns a function that removes the folder or database immediately
 */
function guard(scratch: Scratch): () => Promise<void> {
  // Runs in a separate session so that Ctrl-C doesn't reach it. Its standard input closes when this process ends.
  const child = spawn(process.execPath, [guardScript], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'close');
  child.stdin.on('error', () => undefined);
  child.stdin.write(JSON.stringify(scratch));
  (child.stdin as Socket).unref();
  child.unref();
  return async () => {
    child.ref();
    child.stdin.end();
    await ended;
  };
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
