import { serviceActor } from '../../audit/actor.ts';
import { countSecrets } from '../../notifications/count-secrets.ts';
import { resealSecrets } from '../../notifications/reseal-secrets.ts';
import { commandLimits } from '../../platform/database/connections/limits.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { checkSecretsKey } from '../../platform/secrets/check-secrets-key.ts';
import type { Installation } from './open-installation.ts';

/**
 * Seals secrets that version 0.1.0 stored in plain text. Leaves secrets that are sealed with an older key for
 * `secrets rotate`.
 * @returns the result of `checkSecretsKey`
 */
export async function sealPlainSecrets({ connection, sealer }: Installation): Promise<string | null> {
  const database = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'attribution-command',
    limits: commandLimits,
  });
  try {
    const newKey = await checkSecretsKey(database.db, sealer);
    const { plain } = await countSecrets(database.db, sealer);
    if (plain > 0) await resealSecrets(database.db, sealer, serviceActor);
    return newKey;
  } finally {
    await database.close();
  }
}
