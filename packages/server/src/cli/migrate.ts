import type { Command } from 'commander';
import { prepareDatabase } from '../platform/database/schema/prepare-database.ts';
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
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const installation = await joinInstallation(config());
      try {
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
