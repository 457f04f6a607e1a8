import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Last commit of each version that this version can upgrade from. 0.1.0 has no tag. */
const commits: Readonly<Record<string, string>> = { '0.1.0': '709a704' };
const executable = join('packages', 'server', 'bin', 'attribution.js');
const parts = ['package.json', 'package-lock.json', 'packages', 'examples'];

/** Executable of another version, with its own packages. */
export interface OlderProgram {
  executable: string;
  remove(): void;
}

/**
 * Checks out a version from this checkout's history and installs its packages from npm, or uses the checkout in
 * ROLLOUT_FROM.
 * @returns the reason if the version isn't available because the history is incomplete or the registry is unreachable
 */
export function olderProgram(version: string): OlderProgram | string {
  const given = process.env.ROLLOUT_FROM;
  if (given !== undefined) return { executable: join(given, executable), remove: () => undefined };
  const commit = commits[version] ?? `v${version}`;
  const folder = mkdtempSync(join(tmpdir(), 'attribution-older-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const problem =
    run(root, `git archive ${commit} ${parts.join(' ')} --output=${join(folder, 'older.tar')}`) ??
    run(folder, 'tar --extract --file older.tar') ??
    run(folder, 'npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund');
  if (problem === null) return { executable: join(folder, executable), remove };
  remove();
  return `${version} cannot be had here, so nothing is rolled out; ROLLOUT_FROM may name a checkout of it. ${problem}`;
}

/** @returns the error, if any */
function run(cwd: string, command: string): string | null {
  const [program = '', ...args] = command.split(' ');
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return status === 0 ? null : `${command}: ${error?.message ?? stderr}`;
}
