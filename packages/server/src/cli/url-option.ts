import { InvalidArgumentError, Option } from 'commander';
import { databaseUrl } from '../platform/setting-parsers.ts';

/**
 * Creates an option for a database URL in the format of DATABASE_URL. The password can come from ~/.pgpass instead,
 * since every user on the machine can see command lines.
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
