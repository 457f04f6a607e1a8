import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../../operator-error.ts';

/** Another process works in the data folder. */
export class FolderInUseError extends OperatorError {
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(`attribution is already running in this folder (process ${pid} holds ${path})`);
    this.pid = pid;
  }
}

/**
 * Takes the lock that lets one process at a time run a database in a folder. The lock of a process that
 * died, by `kill -9` or with its machine, is taken over; a process number used again is told apart by the
 * process's start time (on Linux).
 * @returns the function that gives it back
 * @throws FolderInUseError
 */
export function lockFolder(path: string): () => void {
  const mine = `${process.pid} ${startTimeOf(process.pid)}\n`;
  const draft = `${path}.${process.pid}`;
  for (;;) {
    // Written beside and then linked, so that nobody ever reads a lock half written.
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
    takeAway(path, found);
  }
}

function takeAway(path: string, stale: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // somebody else took it away
  }
  // Between reading and renaming another process may have taken the lock: give it back then.
  if (readOrNull(aside) !== stale) {
    try {
      linkSync(aside, path);
    } catch {
      // the lock has a newer owner already
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
 * The kernel's start time of a process; '-' where the system does not tell. Of its first thread, which is the same: what
 * /proc says of a whole process is answered to that process by its emulator, where it has one, with another time.
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
