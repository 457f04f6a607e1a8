import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const guard = fileURLToPath(new URL('leave-nothing.sh', import.meta.url));

/**
 * Puts all temporary files from this process and its children into one folder, and starts a guard that
 * outlives them. However this process ends, the guard kills its children and deletes the folder.
 */
export function leaveNothing(): void {
  if (process.env.LEAVES_NOTHING !== undefined) return;
  const folder = mkdtempSync(join(parentFolder(), 'attribution-run-'));
  chmodSync(folder, 0o1777); // same mode as /tmp, because root also starts processes as other users
  // The guard runs in its own session, so that Ctrl-C does not reach it. The guard's standard input ends when
  // this process ends.
  const child = spawn('/bin/sh', [guard], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.write(`${folder}\n`);
  (child.stdin as Socket).unref();
  child.unref();
  process.env.LEAVES_NOTHING = folder;
  process.env.TMPDIR = folder;
}

/** Space that a run may need for its databases and their WAL. */
const neededBytes = 6 * 1024 ** 3;

/**
 * Returns the parent of the temporary folder. The parent is in memory if there is enough space and TMPDIR is
 * not set. Creating and dropping a database for each file is twenty times faster in memory than on disk.
 */
function parentFolder(): string {
  const inMemory = '/dev/shm';
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return tmpdir();
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8');
    const [, options = 'noexec'] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts) ?? [];
    const { bavail, bsize } = statfsSync(inMemory);
    const canExecute = !options.split(',').includes('noexec'); // tests build programs and run them
    const hasSpace = Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
    return canExecute && hasSpace ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Sets up a test run, before any other setup. */
export const setup = leaveNothing;
