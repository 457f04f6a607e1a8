import type { Db } from '../database/database.ts';
import { unavailability } from '../database/database-errors.ts';
import { asTyped } from '../program-name.ts';
import { SealError, type Sealer } from './sealer.ts';
import { serviceSecret, stateOfValue } from './service-secret.ts';

/** Name of a secret that is sealed before any other, to record which key is in use. */
const keyCheck = 'secrets key check';

/**
 * Checks that this process has the key that the installation's secrets are sealed with. If no secrets have been sealed
 * yet, records the key, so that a mistyped key is detected before it is used.
 * @returns the fingerprint of the key if this call recorded it; null if the key was already recorded
 * @throws SealError if the secrets are sealed with a key that this process doesn't have
 */
export async function checkSecretsKey(db: Db, sealer: Sealer): Promise<string | null> {
  const rows = await db.selectFrom('service_secret').select(['name', 'value']).execute();
  const lost = rows.find(({ value }) => stateOfValue(value, sealer) === 'unknown-key');
  if (lost !== undefined) {
    const [, , expected = ''] = lost.value.toString('latin1').split(':');
    throw new SealError(
      `SECRETS_KEY (secrets.key of an embedded database) is not the key that this database's secrets were sealed with: its fingerprint is ${sealer.fingerprint}, and they were sealed with ${expected}. Restore that key. To change keys, set both, the new one first, and run \`${asTyped('secrets rotate')}\`.`,
    );
  }
  if (rows.some(({ name }) => name === keyCheck)) return null;
  try {
    await serviceSecret(db, keyCheck, sealer);
  } catch (error) {
    if (unavailability(error) === null) throw error;
    return null; // secrets can't be sealed in a read-only database
  }
  return rows.length === 0 ? sealer.fingerprint : null;
}

export const describeKey = (fingerprint: string): string =>
  `Secrets are now sealed with the key whose fingerprint is ${fingerprint}. Back up this key: every process needs it, and a lost key can't be recovered.`;
