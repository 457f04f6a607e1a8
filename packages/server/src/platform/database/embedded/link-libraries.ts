import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { OperatorError } from '../../operator-error.ts';

/**
 * Creates the symbolic links through which the embedded PostgreSQL's executables load their libraries. An npm package
 * can't contain links, so its install script creates them. `npm ci --ignore-scripts` skips this step.
 * @param folder the package's folder
 * @throws OperatorError that explains what to do if links are missing and the folder isn't writable
 */
export function linkLibraries(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    try {
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(relative(dirname(target), source), path);
    } catch (cause) {
      // Another process starting at the same time has created the link.
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new OperatorError(
        `The library ${basename(target)} of the embedded PostgreSQL isn't linked, because packages were installed with --ignore-scripts, ` +
          `and ${dirname(path)} isn't writable. Run \`npm rebuild --ignore-scripts=false\` as the owner of the checkout, ` +
          'or set DATABASE_URL to use your own PostgreSQL server.',
        { cause },
      );
    }
  }
}
