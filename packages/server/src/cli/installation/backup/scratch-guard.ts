import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readConnection } from '../../../platform/database/connections/read-connection.ts';
import { readPostmasterFile } from '../../../platform/database/embedded/cluster-leftovers.ts';
import type { Scratch } from './open-scratch.ts';

// Script of a process that outlives the command which created a scratch. It reads the scratch's description from standard input,
// which ends when the command ends, even if it was killed. Then it removes the scratch.
const scratch = JSON.parse(await text(process.stdin)) as Scratch;
if (scratch.kind === 'folder') await removeCluster(scratch);
else await dropDatabase(scratch);

async function removeCluster({ folder, cluster }: Extract<Scratch, { kind: 'folder' }>): Promise<void> {
  const running = readPostmasterFile(cluster);
  if (running !== null) {
    end(running.pid, 'SIGQUIT');
    while (end(running.pid, 0)) await sleep(50);
    rmSync(running.socketDirectory, { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function end(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function dropDatabase({ url, database }: Extract<Scratch, { kind: 'database' }>): Promise<void> {
  const client = new pg.Client(await readConnection(url));
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`drop database if exists ${pg.escapeIdentifier(database)} with (force)`);
  } finally {
    await client.end();
  }
}
