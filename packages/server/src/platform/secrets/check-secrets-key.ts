import type { Db } from '../database/database.ts';
import { unavailability } from '../database/database-errors.ts';
import { asTyped } from '../program-name.ts';
import { SealError, type Sealer } from './sealer.ts';
import { serviceSecret, stateOfValue } from './service-secret.ts';

/** Row that says which key seals before anything else is sealed. */
const checked = 'secrets key check';

/**
 * Compares the key of this process with the one that the installation's secrets are sealed with, and records it where
 * nothing is sealed yet: a key that was mistyped is found before it has sealed anything.
 * @returns the fingerprint of a key that was recorded now; null for one that was known
 * @throws SealError where the secrets are sealed with a key that this process does not have
 */
export async function checkSecretsKey(db: Db, sealer: Sealer): Promise<string | null> {
  const rows = await db.selectFrom('service_secret').select(['name', 'value']).execute();
  const lost = rows.find(({ value }) => stateOfValue(value, sealer) === 'unknown-key');
  if (lost !== undefined) {
    const [, , theirs = ''] = lost.value.toString('latin1').split(':');
    throw new SealError(
      `SECRETS_KEY (secrets.key of an embedded database) is another key than the one this database's secrets are sealed with: its fingerprint is ${sealer.fingerprint}, and theirs is ${theirs}. Bring that key back. To change keys, give both, the new one first, and run \`${asTyped('secrets rotate')}\`.`,
    );
  }
  if (rows.some(({ name }) => name === checked)) return null;
  try {
    await serviceSecret(db, checked, sealer);
  } catch (error) {
    if (unavailability(error) === null) throw error;
    return null; // a database that can only be read seals nothing
  }
  return rows.length === 0 ? sealer.fingerprint : null;
}

export const keyWords = (fingerprint: string): string =>
  `Secrets are sealed with the key of fingerprint ${fingerprint} from now on. Keep that key: every process needs it, and nothing replaces it.`;
