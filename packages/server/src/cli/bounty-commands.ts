import { type Command, Option } from 'commander';
import { systemClock } from '../platform/clock.ts';
import type { BountyId } from '../platform/database/tables.generated.ts';
import { toBountyId } from '../platform/ids.ts';
import {
  addBountyCommand,
  completeRewardCommand,
  endBountyCommand,
  listBountiesCommand,
  showBountyCommand,
} from './bounties.ts';
import type { CommandTools } from './command-tools.ts';

const publisher = (): Option => new Option('--publisher <id>', 'the publisher').makeOptionMandatory();
const group = (): Option => new Option('--group <id>', 'the creator group').makeOptionMandatory();
const json = (): Option => new Option('--json', 'print JSON');

export function addBountyCommands(program: Command, { withDatabase, readText, print }: CommandTools): void {
  const bounties = program.command('bounties').description('Define bounties, and see how far members are.');
  bounties
    .command('list')
    .description('List the bounties of a group.')
    .addOption(publisher())
    .addOption(group())
    .addOption(json())
    .action((options) => withDatabase((db) => listBountiesCommand(db, options, systemClock.now(), print)));
  bounties
    .command('show')
    .argument('<bountyId>', '', toBountyId)
    .description('Show a bounty with the progress of its members.')
    .addOption(publisher())
    .addOption(json())
    .action((bountyId: BountyId, options) =>
      withDatabase((db) => showBountyCommand(db, options, bountyId, systemClock.now(), print)),
    );
  bounties
    .command('add')
    .argument('<file>', 'one bounty as in a program file, see docs/bounties.md; - reads standard input')
    .description('Make a bounty, or replace what it says. What was recorded since its start counts.')
    .addOption(publisher())
    .addOption(group())
    .addOption(json())
    .action(async (file: string, options: { publisher: string; group: string; json?: boolean }) => {
      const { readBountyFile } = await import('../program-file/read-program.ts');
      const read = readBountyFile(await readText(file), file, options.publisher, options.group);
      await withDatabase((db) => addBountyCommand(db, read, options.json === true, print));
    });
  bounties
    .command('end')
    .argument('<bountyId>', '', toBountyId)
    .description('End a bounty now, for good.')
    .addOption(publisher())
    .addOption(json())
    .action((bountyId: BountyId, options) =>
      withDatabase((db) => endBountyCommand(db, options, bountyId, systemClock.now(), print)),
    );
  bounties
    .command('complete-reward')
    .argument('<rewardId>', 'as `bounties show` or the event names it')
    .description('Say that an External reward was delivered.')
    .addOption(publisher())
    .addOption(group())
    .option('--reference <text>', 'a reference of your own; the first one stays')
    .addOption(json())
    .action((rewardId: string, options) =>
      withDatabase((db) => completeRewardCommand(db, options, rewardId, print)),
    );
}
