import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../../operator-error.ts';

export class FolderInUseError extends OperatorError {
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(`attribution is already running in this folder (process ${pid} holds ${path})`);
    this.pid = pid;
  }
}

/**
 * Acquires the lock that allows only one process at a time to run a database in the folder. If the process
 * that held the lock died, for example from `kill -9` or a machine failure, this process takes over the lock.
 * On Linux, a reused process id is detected by the process's start time.
 * @returns a function that releases the lock
 * @throws FolderInUseError
 */
export function lockFolder(path: string): () => void {
  const mine = `${process.pid} ${startTimeOf(process.pid)}\n`;
  const draft = `${path}.${process.pid}`;
  for (;;) {
    // Write to a separate file and then link it, so that no process reads a partly written lock.
    writeFileSync(draft, mine);
    try {
      linkSync(draft, path);
      return () => {
        if (readOrNull(path) === mine) rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
    const found = readOrNull(path);
    if (found === null) continue;
    const owner = liveOwner(found);
    if (owner !== null && found !== mine) throw new FolderInUseError(path, owner);
    removeStale(path, found);
  }
}

function removeStale(path: string, stale: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // another process removed it
  }
  // Another process may have taken the lock between the read and the rename. If so, put it back.
  if (readOrNull(aside) !== stale) {
    try {
      linkSync(aside, path);
    } catch {
      // the lock already has a newer owner
    }
  }
  rmSync(aside, { force: true });
}

function liveOwner(lock: string): number | null {
  const [pidText = '', started = ''] = lock.trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null;
  }
  return startTimeOf(pid) === started ? pid : null;
}

/**
 * Returns the kernel's start time for a process, or '-' if it is unknown. The time is read from the process's
 * first thread, which started at the same time, because an emulator reports a different time in a process's
 * own /proc/PID/stat.
 */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
  } catch {
    return '-';
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
