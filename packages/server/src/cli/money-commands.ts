import { type Command, InvalidArgumentError, Option } from 'commander';
import { currencyCodes } from '../platform/currencies.ts';
import type { Db } from '../platform/database/database.ts';
import { exportPayout } from '../settlement/payouts/export-payout.ts';
import { resumePayouts } from '../settlement/payouts/resume-payouts.ts';
import type { CommandTools } from './command-tools.ts';
import { cancelPayoutCommand, clawBackCommand, markPaidCommand } from './finish-payouts.ts';
import {
  balancesCommand,
  createPayoutCommand,
  explainCommand,
  listPayoutsCommand,
  previewPayoutCommand,
  showPayoutCommand,
} from './money.ts';
import { type VerifyLedgerOptions, verifyLedgerCommand } from './verify-ledger.ts';

const publisher = (): Option => new Option('--publisher <id>', 'the publisher').makeOptionMandatory();
const json = (): Option => new Option('--json', 'print JSON');

/** explain, payouts and ledger. */
export function addMoneyCommands(program: Command, tools: CommandTools): void {
  const { withDatabase, print, fail } = tools;
  program
    .command('explain')
    .argument('<transactionId>', "the publisher's own id of the purchase")
    .description('Say, rule by rule, why each row of a purchase earns what it earns.')
    .addOption(publisher())
    .addOption(json())
    .action((transactionId: string, options) =>
      withDatabase((db) => explainCommand(db, options, transactionId, print)),
    );
  addPayoutCommands(program, tools);

  const ledger = program.command('ledger').description('Prove and show what members are owed.');
  ledger
    .command('verify')
    .description('Prove that every balance is explained; name the first row that is not (exit code 1).')
    .option('--all', 'look at what has not moved since it was found sound, too')
    .option('--publisher <id>', 'this publisher only')
    .addOption(json())
    .action((options: VerifyLedgerOptions) =>
      withDatabase(async (db) => {
        if (!(await verifyLedgerCommand(db, options, tools))) fail();
      }),
    );
  ledger
    .command('balance')
    .description('Show what each member is owed, by currency.')
    .addOption(publisher())
    .addOption(json())
    .action((options) => withDatabase((db) => balancesCommand(db, options, print)));
}

function addPayoutCommands(
  program: Command,
  { withDatabase, print, printDone, dataOutput }: CommandTools,
): void {
  const payouts = program
    .command('payouts')
    .description('Pay members: see, make, export and finish payouts.');
  /** What an interrupted command left of the publisher's payouts is brought to an end first. */
  const withPayouts = (publisherId: string, work: (db: Db) => Promise<void>): Promise<void> =>
    withDatabase(async (db) => {
      await resumePayouts(db, publisherId);
      await work(db);
    });
  const add = (name: string, description: string): Command =>
    payouts.command(name).description(description).addOption(publisher());
  for (const command of [
    add('preview', 'Show what a payout would pay now, and what would wait.').action((options) =>
      withPayouts(options.publisher, (db) => previewPayoutCommand(db, options, print)),
    ),
    add('create', 'Make a payout, one batch a currency.').action((options) =>
      withPayouts(options.publisher, (db) => createPayoutCommand(db, options, printDone)),
    ),
  ])
    command
      .requiredOption('--group <id>', 'the creator group')
      .option('--currency <code>', 'this currency only', currencyCode)
      .option('--as-of <timestamp>', 'the moment to pay up to, as a preview prints it')
      .addOption(json());
  add('list', 'List payouts, newest first.')
    .addOption(json())
    .action((options) => withPayouts(options.publisher, (db) => listPayoutsCommand(db, options, print)));
  add('show', 'Show a payout with its members.')
    .argument('<payoutId>')
    .addOption(json())
    .action((payoutId: string, options) =>
      withPayouts(options.publisher, (db) => showPayoutCommand(db, options, payoutId, print)),
    );
  add('export', 'Write a payout as CSV to standard output.')
    .argument('<payoutId>')
    .action((payoutId: string, options) =>
      withPayouts(options.publisher, (db) => exportPayout(db, options.publisher, payoutId, dataOutput)),
    );
  add('mark-paid', "Say that a payout's money has left.")
    .argument('<payoutId>')
    .addOption(json())
    .action((payoutId: string, options) =>
      withPayouts(options.publisher, (db) => markPaidCommand(db, options, payoutId, printDone)),
    );
  add('cancel', 'Take a payout back before it is paid.')
    .argument('<payoutId>')
    .addOption(json())
    .action((payoutId: string, options) =>
      withPayouts(options.publisher, (db) => cancelPayoutCommand(db, options, payoutId, printDone)),
    );
  add('claw-back', "Take back the money of a paid row; the member's next payout is that much smaller.")
    .argument('<rowId>', 'the id of the attribution record')
    .addOption(
      new Option('--status <status>', "the row's new status")
        .choices(['Refund', 'Fraud', 'Chargeback'])
        .makeOptionMandatory(),
    )
    .addOption(json())
    .action((rowId: string, options) =>
      withPayouts(options.publisher, (db) => clawBackCommand(db, options, rowId, printDone)),
    );
}

function currencyCode(text: string): string {
  const code = text.toUpperCase();
  if (!currencyCodes.includes(code)) throw new InvalidArgumentError('It is no currency that purchases have.');
  return code;
}
