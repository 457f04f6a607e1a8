import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionsToRunning } from '../src/platform/database/embedded/embedded-cluster.ts';
import { until } from './attribution-process.ts';

/** Folder for an installation (DATA_DIR). */
export interface DataFolder {
  readonly path: string;
  /** Data folder of the installation's PostgreSQL cluster. */
  readonly cluster: string;
  /** Returns the connection to the embedded database that a server runs in this folder. */
  connection(): { host?: string; user?: string; database?: string };
  /** Returns the embedded database's main process and its children; empty if the database isn't running. */
  postgresProcesses(): PostgresProcess[];
  /** Ends all processes that are still running in the folder, then deletes it. */
  remove(): Promise<void>;
}

export interface PostgresProcess {
  pid: number;
  isPostmaster: boolean;
}

/** @param within a folder for temporary files */
export function makeDataFolder(within = tmpdir()): DataFolder {
  const parent = mkdtempSync(join(within, 'attribution-data-'));
  chmodSync(parent, 0o711); // PostgreSQL started by root runs as another user, who needs access
  const path = join(parent, 'data');
  const cluster = join(path, 'postgres');
  return {
    path,
    cluster,
    connection() {
      const { host, user, database } = connectionsToRunning(cluster)?.connection ?? {};
      if (host === undefined || user === undefined || typeof database !== 'string') {
        throw new Error(`no database is running in ${cluster}`);
      }
      return { host, user, database };
    },
    postgresProcesses: () => postgresProcesses(cluster),
    async remove() {
      const socketFolder = connectionsToRunning(cluster)?.connection.host;
      await killAll(postgresProcesses(cluster));
      if (socketFolder !== undefined) rmSync(socketFolder, { recursive: true, force: true });
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** Returns the PostgreSQL processes of a cluster: the process with the folder in its arguments, and its children. */
export function postgresProcesses(cluster: string): PostgresProcess[] {
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const all = stdout.split('\n').flatMap((line) => {
    const [, pid, ppid, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return args === undefined ? [] : [{ pid: Number(pid), ppid: Number(ppid), args }];
  });
  // A process that was just forked still has its parent's arguments.
  const named = all.filter(({ args }) => args.includes(`postgres -D ${cluster} `));
  const known = new Set(named.map(({ pid }) => pid));
  const mains = new Set(named.filter(({ ppid }) => !known.has(ppid)).map(({ pid }) => pid));
  return all
    .filter(({ pid, ppid }) => mains.has(pid) || mains.has(ppid))
    .map(({ pid }) => ({ pid, isPostmaster: mains.has(pid) }));
}

/**
 * Kills (-9) the processes and waits until they are gone. The main process is killed first, so that it cannot
 * start others.
 */
export async function killAll(processes: readonly PostgresProcess[]): Promise<void> {
  for (const { pid } of processes.toSorted(
    (one, other) => Number(other.isPostmaster) - Number(one.isPostmaster),
  ))
    killProcess(pid);
  await until('killed processes to be gone', () => processes.every(({ pid }) => !isAlive(pid)));
}

export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}
