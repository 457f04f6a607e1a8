import { type Command, Option } from 'commander';
import { systemClock } from '../platform/clock.ts';
import { type IssueAuthCodeOptions, issueAuthCodeCommand } from './auth-codes.ts';
import type { CommandTools } from './command-tools.ts';

export function addAuthCodeCommands(program: Command, { withDatabase, print }: CommandTools): void {
  program
    .command('auth-codes')
    .description('Auth codes, by which creators link their accounts to players.')
    .command('issue')
    .description('Make an auth code for a member and print it, once; it is good for 30 minutes.')
    .addOption(new Option('--publisher <id>', 'the publisher').makeOptionMandatory())
    .option('--member <id>', "the member's account")
    .option('--player <id>', 'or its playerId')
    .option('--group <id>', 'the group of the playerId; the default group when absent')
    .option('--json', 'print JSON')
    .action((options: IssueAuthCodeOptions) =>
      withDatabase((db, sealer) => issueAuthCodeCommand(db, options, systemClock.now(), print, sealer)),
    );
}
