import { createSealer } from '../src/platform/secrets/sealer.ts';

/** Key for the tests' databases, as in SECRETS_KEY. */
export const secretsKey = Buffer.alloc(32, 'tests').toString('base64');

export const testSealer = createSealer([Buffer.from(secretsKey, 'base64')]);

/** Returns the key setting for a process with an external database. An embedded database creates its own key. */
export const keyFor = ({ DATABASE_URL }: Readonly<Record<string, string | undefined>>) =>
  DATABASE_URL === undefined ? {} : { SECRETS_KEY: secretsKey };
