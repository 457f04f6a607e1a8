import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { OperatorError } from '../../operator-error.ts';

/**
 * Links the libraries of an embedded PostgreSQL under the names that its programs load. A package of npm holds no links, so the
 * package's own script makes them at installation; `npm ci --ignore-scripts` leaves it out.
 * @param folder of the package
 * @throws OperatorError saying what to do where the links are missing and the folder cannot be written to
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
      // Another process that starts at the same time links them, too.
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new OperatorError(
        `the embedded PostgreSQL's library ${basename(target)} isn't linked, because packages were installed with --ignore-scripts, ` +
          `and ${dirname(path)} can't be written to. Run \`npm rebuild --ignore-scripts=false\` as the owner of the checkout, ` +
          'or set DATABASE_URL to a PostgreSQL of your own.',
        { cause },
      );
    }
  }
}
