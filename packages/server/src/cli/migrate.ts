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

/** migrate: the database as this program wants it. */
export function addMigrateCommand(program: Command, { config, print, warn }: CommandTools): void {
  program
    .command('migrate')
    .description('Bring the database up to date. Safe to run from several machines at once.')
    .option('--prepare', 'do only what the version that serves bears, ahead of the upgrade')
    .addOption(waitOption())
    .addOption(jsonOption())
    .action(async ({ prepare, wait, json }: MigrateWords) => {
      const installation = await joinInstallation(config());
      try {
        if (wait !== undefined) {
          await awaitSchema(installation.connection, { patienceMs: wait * 1_000, onWait: warn });
          print(json ? JSON.stringify({ ready: true }) : 'The database is ready for this version.');
          return;
        }
        if (prepare) {
          const done = await prepareUpgrade(installation.ownerConnection, { onWait: warn });
          print(json ? JSON.stringify(done) : preparationWords(done));
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

interface MigrateWords {
  prepare?: boolean;
  /** Seconds. */
  wait?: number;
  json?: boolean;
}

const longestWaitSeconds = 86_400;

const waitOption = (): Option =>
  new Option('--wait <seconds>', 'change nothing: wait until another `migrate` of this version is done')
    .conflicts('prepare')
    .argParser((text) => {
      const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
      if (!(seconds <= longestWaitSeconds))
        throw new InvalidArgumentError(`It must be a whole number of seconds, 0 to ${longestWaitSeconds}.`);
      return seconds;
    });

function preparationWords({ prepared, theSwitch }: Preparation): string {
  const done = prepared.length === 0 ? 'Nothing is left to prepare.' : `Prepared ${prepared.join(', ')}.`;
  const rest = theSwitch === null ? '' : `, for ${theSwitch} needs it`;
  return `${done} To upgrade, stop the version that serves${rest}, and run \`${asTyped('migrate')}\`.`;
}
