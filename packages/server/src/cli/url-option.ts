import { InvalidArgumentError, Option } from 'commander';
import { databaseUrl } from '../platform/setting-parsers.ts';

/**
 * An option that names a database as DATABASE_URL does. A password may be left out and stand in ~/.pgpass: what is typed is
 * seen by everybody on the machine.
 */
export const urlOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((text) => {
    try {
      const url = databaseUrl(text);
      if (url === null) throw new Error('must not be empty');
      return url;
    } catch (error) {
      throw new InvalidArgumentError(`It ${error instanceof Error ? error.message : error}.`);
    }
  });
