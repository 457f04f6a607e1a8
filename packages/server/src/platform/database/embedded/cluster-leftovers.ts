import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const stopTimeoutMs = 30_000;

/**
 * Ends a server that outlived the program that started it, and clears the locks of a dead one away.
 * The caller holds the folder's lock, so no other program is starting one.
 */
export async function clearLeftovers(directory: string, socketDirectory: string): Promise<void> {
  const running = readPostmasterFile(directory);
  if (running !== null && isOurPostgres(running.pid, directory)) {
    await stopOrphan(running.pid, directory);
    return;
  }
  // Another program may have the dead server's process number by now, and PostgreSQL would not start.
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
    rmSync(join(socketDirectory, name), { force: true });
  const path = postmasterFile(directory);
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  // Not removed, unless its server died before it wrote it: it leads to the shared memory by which PostgreSQL
  // sees that no old backend is left. A number that is its parent's, which this process will be, counts as stale.
  if (text === '') rmSync(path);
  else writeFileSync(path, text.replace(/^\d+/, String(process.pid)));
}

/**
 * Ends backends whose server is dead. By themselves they go within moments, but one that waits for a lock of another
 * that was killed never sees that its server is gone, and keeps the shared memory that a new one needs. The caller
 * has seen that no server runs in the folder. Only where the system shows processes in /proc.
 */
export function endOrphanedBackends(directory: string): void {
  if (!existsSync('/proc')) return;
  const folder = realpathSync(directory);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (command.startsWith('postgres: ') && readlinkSync(`/proc/${pid}/cwd`) === folder)
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It is gone, or somebody else's.
    }
  }
}

/** postmaster.pid: process id in line 1, folder of the socket in line 5. */
export function readPostmasterFile(directory: string): { pid: number; socketDirectory: string } | null {
  try {
    const lines = readFileSync(postmasterFile(directory), 'utf8').split('\n');
    const pid = Number(lines[0]);
    const socketDirectory = lines[4]?.trim() ?? '';
    return Number.isInteger(pid) && pid > 0 && socketDirectory !== '' ? { pid, socketDirectory } : null;
  } catch {
    return null;
  }
}

const postmasterFile = (directory: string): string => join(directory, 'postmaster.pid');

async function stopOrphan(pid: number, directory: string): Promise<void> {
  const deadline = performance.now() + stopTimeoutMs;
  for (let signal: NodeJS.Signals = 'SIGINT'; isOurPostgres(pid, directory); ) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    await sleep(100);
    if (performance.now() > deadline) signal = 'SIGQUIT';
  }
}

function isOurPostgres(pid: number, directory: string): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // The number may belong to another program by now: ask what it runs.
  const ps = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  const command = existsSync(`/proc/${pid}/cmdline`)
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    : ps.stdout;
  return command.includes(`postgres -D ${directory} `);
}
