import { createSealer } from '../src/platform/secrets/sealer.ts';

/** What the tests' databases are sealed with, as SECRETS_KEY takes it. */
export const secretsKey = Buffer.alloc(32, 'tests').toString('base64');

export const testSealer = createSealer([Buffer.from(secretsKey, 'base64')]);

/** The setting that a process with a database of one's own needs; an embedded one makes its key by itself. */
export const keyFor = ({ DATABASE_URL }: Readonly<Record<string, string | undefined>>) =>
  DATABASE_URL === undefined ? {} : { SECRETS_KEY: secretsKey };
