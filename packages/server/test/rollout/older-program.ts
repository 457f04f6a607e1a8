import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The last commit of each version that this one upgrades from; 0.1.0 has no tag. */
const commits: Readonly<Record<string, string>> = { '0.1.0': '709a704' };
const executable = join('packages', 'server', 'bin', 'attribution.js');
const parts = ['package.json', 'package-lock.json', 'packages', 'examples'];

/** Another version's program, with its own packages. */
export interface OlderProgram {
  executable: string;
  remove(): void;
}

/**
 * Takes a version out of the history of this checkout, and its packages from npm; or the checkout of it that ROLLOUT_FROM names.
 * @returns in words why it cannot be had here, where the history is not whole or the registry away
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

/** @returns what went wrong */
function run(cwd: string, command: string): string | null {
  const [program = '', ...args] = command.split(' ');
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return status === 0 ? null : `${command}: ${error?.message ?? stderr}`;
}
