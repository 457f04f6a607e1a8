import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const guard = fileURLToPath(new URL('leave-nothing.sh', import.meta.url));

/**
 * From here on everything that this process and those it starts put into a temporary folder is in one, and a guard outlives
 * them all: when this process has ended, in whatever way, it ends what was started and deletes the folder.
 */
export function leaveNothing(): void {
  if (process.env.LEAVES_NOTHING !== undefined) return;
  const folder = mkdtempSync(join(parentFolder(), 'attribution-run-'));
  chmodSync(folder, 0o1777); // as /tmp is: what root starts runs as other users, too
  // A session of its own, so that Ctrl-C does not reach it; its standard input ends with this process.
  const child = spawn('/bin/sh', [guard], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.write(`${folder}\n`);
  (child.stdin as Socket).unref();
  child.unref();
  process.env.LEAVES_NOTHING = folder;
  process.env.TMPDIR = folder;
}

/** What a run may take: its databases, and the log of what is written to them. */
const roomBytes = 6 * 1024 ** 3;

/**
 * In memory, where there is enough of it and TMPDIR does not say otherwise: to make and drop a database for each file
 * takes a twentieth of what it takes on a disk.
 */
function parentFolder(): string {
  const inMemory = '/dev/shm';
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return tmpdir();
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8');
    const [, options = 'noexec'] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts) ?? [];
    const { bavail, bsize } = statfsSync(inMemory);
    const mayRun = !options.split(',').includes('noexec'); // tests build programs, and run them
    const hasRoom = Math.min(bavail * bsize, process.availableMemory()) >= roomBytes;
    return mayRun && hasRoom ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Before everything else that a run of tests sets up. */
export const setup = leaveNothing;
