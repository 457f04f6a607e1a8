import type { Command } from 'commander';
import { type Preparation, prepareUpgrade } from '../platform/database/schema/migrate.ts';
import { prepareDatabase } from '../platform/database/schema/prepare-database.ts';
import { asTyped } from '../platform/program-name.ts';
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
    .addOption(jsonOption())
    .action(async ({ prepare, json }: { prepare?: boolean; json?: boolean }) => {
      const installation = await joinInstallation(config());
      try {
        if (prepare) {
          const done = await prepareUpgrade(installation.ownerConnection, { onWait: warn });
          print(json ? JSON.stringify(done) : preparationWords(done));
          return;
        }
        requireKey(installation.sealer);
        const applied = await prepareDatabase(installation, { onWait: warn });
        await sealPlainSecrets(installation);
        if (json) print(JSON.stringify({ applied }));
        else print(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
      } finally {
        await installation.close();
      }
    });
}

function preparationWords({ prepared, theSwitch }: Preparation): string {
  const done = prepared.length === 0 ? 'Nothing is left to prepare.' : `Prepared ${prepared.join(', ')}.`;
  const rest = theSwitch === null ? '' : `, for ${theSwitch} needs it`;
  return `${done} To upgrade, stop the version that serves${rest}, and run \`${asTyped('migrate')}\`.`;
}
