import type { Command } from 'commander';
import type { CommandTools } from './command-tools.ts';
import { rotateSecretsCommand } from './secrets.ts';

export function addSecretCommands(program: Command, { withDatabase, print, fail }: CommandTools): void {
  program
    .command('secrets')
    .description('The secrets in the database, which SECRETS_KEY seals.')
    .command('rotate')
    .description('Seal everything with the first key of SECRETS_KEY. Broken off, it goes on when run again.')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withDatabase(async (db, sealer) => {
        if (!(await rotateSecretsCommand(db, sealer, options, print))) fail();
      }),
    );
}
