import { type SpawnOptions, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '../../operator-error.ts';
import { postgresBinaries } from './postgres-binaries.ts';

/** System user that PostgreSQL runs as. */
export interface Runner {
  /** Null to use this process's own user. */
  uid: number | null;
  gid: number | null;
  spawnOptions: Pick<SpawnOptions, 'uid' | 'gid'>;
}

const candidates = ['postgres', 'nobody'];

/**
 * Chooses the user that PostgreSQL runs as, since it refuses to run as root. If this process runs as root, chooses the
 * folder's owner or, if the folder doesn't exist, the first of `candidates` that exists on the system.
 * @throws OperatorError with the path that the user can't access and what to do about it
 */
export function unprivilegedUser(directory: string): Runner {
  if (process.getuid?.() !== 0) return { uid: null, gid: null, spawnOptions: {} };
  const user = ownerOf(directory) ?? systemUser();
  const runner = { uid: user.uid, gid: user.gid, spawnOptions: { uid: user.uid, gid: user.gid } };
  const parent = dirname(directory);
  mkdirSync(parent, { recursive: true });
  for (const path of [postgresBinaries().postgres, parent]) {
    if (canReach(path, runner)) continue;
    throw new OperatorError(
      `PostgreSQL refuses to run as root, so it runs as user ${user.name}, but that user can't access ${path}.\n` +
        `Grant access (chmod o+x ${blockedFolder(path, runner)}), start as a regular user, move the checkout ` +
        'and DATA_DIR to a folder that other users can access (such as /srv), or set DATABASE_URL to use your own PostgreSQL server.',
    );
  }
  return runner;
}

function ownerOf(directory: string): { name: string; uid: number; gid: number } | null {
  if (!existsSync(directory)) return null;
  const { uid, gid } = statSync(directory);
  return uid === 0 ? null : { name: String(uid), uid, gid };
}

function systemUser(): { name: string; uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const candidate of candidates) {
    const line = lines.find(([name]) => name === candidate);
    if (line !== undefined) return { name: candidate, uid: Number(line[2]), gid: Number(line[3]) };
  }
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and none of the users ${candidates.join(', ')} exists on this system. ` +
      'Start as a regular user, or set DATABASE_URL.',
  );
}

function canReach(path: string, runner: Runner): boolean {
  const test = spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { ...runner.spawnOptions, cwd: '/' });
  return test.status === 0;
}

/** Returns the first folder in `path` that the user isn't allowed to enter. */
function blockedFolder(path: string, runner: Runner): string {
  const parent = dirname(path);
  if (parent === path) return path;
  return canReach(parent, runner) ? path : blockedFolder(parent, runner);
}
