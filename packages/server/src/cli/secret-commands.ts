import type { Command } from 'commander';
import { inDatabase, jsonOption } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { rotateSecretsCommand } from './secrets.ts';

export function addSecretCommands(program: Command, tools: CommandTools): void {
  program
    .command('secrets')
    .description('The secrets in the database, which SECRETS_KEY seals.')
    .command('rotate')
    .description('Seal everything with the first key of SECRETS_KEY. Broken off, it goes on when run again.')
    .addOption(jsonOption())
    .action(
      inDatabase(tools, async (work, options: { json?: boolean }) => {
        if (!(await rotateSecretsCommand(work, options, tools.print))) tools.fail();
      }),
    );
}
