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

/** Something that is there for a while. */
export type Scratch =
  | { kind: 'folder'; folder: string; cluster: string }
  | { kind: 'database'; url: string; database: string };

/** An empty database for a while. */
export interface ScratchDatabase {
  /** As the service connects. */
  url: string;
  /** As the role that owns the tables. */
  ownerUrl: string;
  /** Takes it away; what is killed before is taken away as well. */
  close(): Promise<void>;
}

/**
 * A PostgreSQL of its own in the folder for temporary files, where there is room.
 * @param roomBytes what it may come to take
 */
export async function openScratchCluster(roomBytes: number): Promise<ScratchDatabase> {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < roomBytes)
    throw new OperatorError(
      `There is not enough room in ${tmpdir()}: ${gigabytes(bavail * bsize)} are free, and restoring may take ${gigabytes(roomBytes)}. Name another folder by TMPDIR, or a server by --scratch.`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'attribution-scratch-'));
  chmodSync(folder, 0o711); // started by root, PostgreSQL runs as another user, who must get through
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

/** A database of its own on a server, whose role may create databases. */
export async function openScratchDatabase(serverUrl: string): Promise<ScratchDatabase> {
  const database = `attribution_scratch_${randomBytes(6).toString('hex')}`;
  const remove = guard({ kind: 'database', url: serverUrl, database });
  const client = new pg.Client(await readConnection(serverUrl));
  client.on('error', () => undefined); // the statement under way fails too, and says so
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

const guardProgram = fileURLToPath(new URL('scratch-guard.ts', import.meta.url));

/** @returns what takes it away, and is done when it is gone */
function guard(scratch: Scratch): () => Promise<void> {
  // A session of its own, so that Ctrl-C does not reach it; its standard input ends with this process.
  const child = spawn(process.execPath, [guardProgram], {
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
