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
 * Stops a server that outlived the process that started it, and removes the lock files of a dead server. The
 * caller must hold the folder's lock, which ensures that no other process is starting a server.
 */
export async function clearLeftovers(directory: string, socketDirectory: string): Promise<void> {
  const running = readPostmasterFile(directory);
  if (running !== null && isOurPostgres(running.pid, directory)) {
    await stopOrphan(running.pid, directory);
    return;
  }
  // Another process may now have the dead server's process id. PostgreSQL would then refuse to start.
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
    rmSync(join(socketDirectory, name), { force: true });
  const path = postmasterFile(directory);
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  // Remove an empty file, because its server died before writing it. Any other file must stay, because it identifies
  // the shared memory that PostgreSQL checks to make sure that no old backends are left. Replace the process id in the
  // file with ours, because PostgreSQL considers its parent's process id stale.
  if (text === '') rmSync(path);
  else writeFileSync(path, text.replace(/^\d+/, String(process.pid)));
}

/**
 * Kills backends whose server is dead. Backends normally exit within moments. But a backend waiting for a lock held by
 * a killed backend never notices that its server is gone and holds on to the shared memory that a new server needs. The
 * caller must have checked that no server is running in the folder. Works only on systems with /proc.
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
      // The process has ended or belongs to another user.
    }
  }
}

/** Returns the process id (line 1) and the socket's folder (line 5). */
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
  // The process id may now belong to another application, so check the process's command.
  const ps = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  const command = existsSync(`/proc/${pid}/cmdline`)
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    : ps.stdout;
  return command.includes(`postgres -D ${directory} `);
}
