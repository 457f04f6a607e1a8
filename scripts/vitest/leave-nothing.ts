import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
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
  const folder = mkdtempSync(join(tmpdir(), 'attribution-run-'));
  chmodSync(folder, 0o1777); // as /tmp is: what root starts runs as other users, too
  // A session of its own, so that Ctrl-C does not reach it; its standard input ends with this process.
  const child = spawn('/bin/sh', [guard], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.write(`${folder}\n`);
  (child.stdin as Socket).unref();
  child.unref();
  process.env.LEAVES_NOTHING = folder;
  process.env.TMPDIR = folder;
}

/** Before everything else that a run of tests sets up. */
export const setup = leaveNothing;
