import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readConnection } from '../../../platform/database/connections/read-connection.ts';
import type { Scratch } from './open-scratch.ts';

/** Maximum time for removing a scratch folder or database that leftover processes are still writing to. */
const removeMs = 60_000;

// Script of the guard process, which outlives the command that created a scratch folder or database. The
// script reads a description of the folder or database from standard input. The input ends when the command
// ends, even if the command was killed. The script then removes the folder or database.
const scratch = JSON.parse(await text(process.stdin)) as Scratch;
if (scratch.kind === 'folder') await removeCluster(scratch);
else await dropDatabase(scratch);

/**
 * Removes the cluster's folder. A killed command may leave behind a server, or an initdb that is still
 * filling the folder. This function therefore ends the process that holds the folder, and retries until the
 * folder is gone.
 */
async function removeCluster({ folder, cluster }: Extract<Scratch, { kind: 'folder' }>): Promise<void> {
  const deadline = performance.now() + removeMs;
  while (performance.now() < deadline) {
    const holder = readHolder(cluster);
    if (holder !== null) {
      end(holder.pid, 'SIGQUIT');
      while (end(holder.pid, 0) && performance.now() < deadline) await sleep(50);
      if (holder.socketDirectory !== '') rmSync(holder.socketDirectory, { recursive: true, force: true });
    }
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A file was added during the removal.
    }
    // If initdb removes a file at the same moment, the removal stops halfway, and `force` hides the error.
    if (!existsSync(folder)) return;
    await sleep(50);
  }
}

/**
 * Returns the process that holds the folder. The programs that initdb runs write a negative process id and no
 * socket.
 */
function readHolder(cluster: string): { pid: number; socketDirectory: string } | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Math.abs(Number(lines[0]));
    return Number.isInteger(pid) && pid > 1 ? { pid, socketDirectory: lines[4]?.trim() ?? '' } : null;
  } catch {
    return null; // the folder or the file is gone
  }
}

/**
 * Sends a signal to a process.
 * @returns false if the process has ended
 */
function end(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * Drops the database. If the command was killed while the server was creating the database, waits for the
 * server to finish.
 */
async function dropDatabase({ url, database }: Extract<Scratch, { kind: 'database' }>): Promise<void> {
  const client = new pg.Client(await readConnection(url));
  client.on('error', () => undefined);
  await client.connect();
  const deadline = performance.now() + removeMs;
  try {
    for (;;) {
      const { rowCount } = await client.query(
        "select from pg_stat_activity where state = 'active' and query like 'create database ' || $1 || ' %'",
        [database],
      );
      await client.query(`drop database if exists ${pg.escapeIdentifier(database)} with (force)`);
      if (rowCount === 0 || performance.now() > deadline) return;
      await sleep(50);
    }
  } finally {
    await client.end();
  }
}
