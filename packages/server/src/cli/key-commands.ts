import { type Command, Option } from 'commander';
import { systemClock } from '../platform/clock.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { toKeyId } from '../platform/ids.ts';
import type { CommandTools } from './command-tools.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './keys.ts';

const publisher = (): Option => new Option('--publisher <id>', 'the publisher').makeOptionMandatory();

export function addKeyCommands(program: Command, { withDatabase, print }: CommandTools): void {
  const keys = program.command('keys').description("Make, list and revoke a publisher's API keys.");
  keys
    .command('create')
    .description('Make an API key and print it, once.')
    .addOption(publisher())
    .addOption(
      new Option('--kind <kind>', 'secret for back ends, public for clients')
        .choices(['secret', 'public'])
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'a name to know it by')
    .option('--group <id>', 'let it work for one group only')
    .option('--expires <date>', 'a day or a timestamp from which it is refused')
    .option('--json', 'print JSON')
    .action((options) => withDatabase((db) => createKeyCommand(db, options, systemClock.now(), print)));
  keys
    .command('list')
    .description('List API keys, revoked ones included.')
    .addOption(publisher())
    .option('--json', 'print JSON')
    .action((options) => withDatabase((db) => listKeysCommand(db, options, systemClock.now(), print)));
  keys
    .command('revoke')
    .argument('<keyId>', 'the ID that `keys list` shows', toKeyId)
    .description('Revoke an API key.')
    .addOption(publisher())
    .option('--json', 'print JSON')
    .action((keyId: KeyId, options) =>
      withDatabase((db) => revokeKeyCommand(db, options, keyId, systemClock.now(), print)),
    );
}
