import type { Config } from '../../platform/config.ts';
import { commandLimits } from '../../platform/database/connections/limits.ts';
import { refuseWrongDefaults } from '../../platform/database/connections/pooler-defaults.ts';
import { type Db, openDatabase } from '../../platform/database/database.ts';
import { prepareDatabase } from '../../platform/database/schema/prepare-database.ts';
import { schemaState } from '../../platform/database/schema/schema-records.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { asTyped } from '../../platform/program-name.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { joinInstallation } from './open-installation.ts';
import { sealPlainSecrets } from './seal-plain-secrets.ts';

/** Runs a command's work on the database, whose schema must match this version. */
export async function withDatabase(
  config: Config,
  work: (db: Db, sealer: Sealer) => Promise<void>,
  warn: (line: string) => void,
): Promise<void> {
  const installation = await joinInstallation(config);
  try {
    if (installation.isEmbedded) {
      await prepareDatabase(installation, { onWait: warn });
      await sealPlainSecrets(installation);
    }
    const database = openDatabase({
      connection: installation.connection,
      poolSize: 2,
      recordLanes: 1,
      applicationName: 'attribution-command',
      limits: commandLimits,
    });
    try {
      const client = await database.recording.connect();
      await refuseWrongDefaults(client).finally(() => client.release());
      const state = await schemaState(database.recording);
      if (state.kind === 'unknown') throw new OperatorError(`The database cannot be used: ${state.reason}.`);
      if (state.kind === 'empty' || state.kind === 'behind')
        throw new OperatorError(`The database is not up to date. Run \`${asTyped('migrate')}\` first.`);
      await work(database.db, installation.sealer);
    } finally {
      await database.close();
    }
  } finally {
    await installation.close();
  }
}
