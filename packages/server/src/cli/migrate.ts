import { type Command, InvalidArgumentError, Option } from 'commander';
import { awaitSchema } from '../platform/database/schema/await-schema.ts';
import { type Preparation, prepareUpgrade } from '../platform/database/schema/migrate.ts';
import { prepareDatabase } from '../platform/database/schema/prepare-database.ts';
import { asTyped } from '../platform/program-name.ts';
import { describeKey } from '../platform/secrets/check-secrets-key.ts';
import { requireKey } from '../platform/secrets/sealer.ts';
import { jsonOption } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { joinInstallation } from './installation/open-installation.ts';
import { sealPlainSecrets } from './installation/seal-plain-secrets.ts';

export function addMigrateCommand(program: Command, { config, print, warn }: CommandTools): void {
  program
    .command('migrate')
    .description('Bring the database up to date. Safe to run from several machines at once.')
    .option('--prepare', 'run only the steps of an upgrade that work while the current version is running')
    .addOption(waitOption())
    .addOption(jsonOption())
    .action(async ({ prepare, wait, json }: MigrateOptions) => {
      const installation = await joinInstallation(config());
      try {
        if (wait !== undefined) {
          await awaitSchema(installation.connection, { patienceMs: wait * 1_000, onWait: warn });
          print(json ? JSON.stringify({ ready: true }) : 'The database is ready for this version.');
          return;
        }
        if (prepare) {
          const done = await prepareUpgrade(installation.ownerConnection, { onWait: warn });
          print(json ? JSON.stringify(done) : describePreparation(done));
          return;
        }
        requireKey(installation.sealer);
        const applied = await prepareDatabase(installation, { onWait: warn });
        const newKey = await sealPlainSecrets(installation);
        if (json) print(JSON.stringify({ applied, ...(newKey !== null && { newKey }) }));
        else print(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
        if (newKey !== null && !json && !installation.isEmbedded) print(describeKey(newKey));
      } finally {
        await installation.close();
      }
    });
}

interface MigrateOptions {
  prepare?: boolean;
  /** Maximum time to wait, in seconds. */
  wait?: number;
  json?: boolean;
}

const maxWaitSeconds = 86_400;

const waitOption = (): Option =>
  new Option('--wait <seconds>', 'only wait until another process has migrated the database to this version')
    .conflicts('prepare')
    .argParser((text) => {
      const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
      if (!(seconds <= maxWaitSeconds))
        throw new InvalidArgumentError(`It must be a whole number of seconds from 0 to ${maxWaitSeconds}.`);
      return seconds;
    });

function describePreparation({ prepared, theSwitch }: Preparation): string {
  const done = prepared.length === 0 ? 'Nothing is left to prepare.' : `Prepared ${prepared.join(', ')}.`;
  const reason = theSwitch === null ? '' : ` (${theSwitch} requires that)`;
  return `${done} To upgrade, stop the running version${reason} and run \`${asTyped('migrate')}\`.`;
}
