import { createSealer } from '../src/platform/secrets/sealer.ts';

/** Key of the tests' databases, as SECRETS_KEY. */
export const secretsKey = Buffer.alloc(32, 'tests').toString('base64');

export const testSealer = createSealer([Buffer.from(secretsKey, 'base64')]);

/** Returns the key setting that a process with an external database needs; an embedded one creates its own. */
export const keyFor = ({ DATABASE_URL }: Readonly<Record<string, string | undefined>>) =>
  DATABASE_URL === undefined ? {} : { SECRETS_KEY: secretsKey };
