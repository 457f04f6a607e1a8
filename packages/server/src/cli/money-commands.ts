import { type Command, Option } from 'commander';
import { setStatus } from '../attributions/update-transactions.ts';
import { uncountRow } from '../bounties/uncount-row.ts';
import { systemClock } from '../platform/clock.ts';
import { clawBack } from '../settlement/claw-back.ts';
import { exportPayout } from '../settlement/export-payout.ts';
import { cancelPayout, markPayoutPaid } from '../settlement/finish-payout.ts';
import type { UncountRow } from '../settlement/reverse-payment.ts';
import type { CommandTools } from './command-tools.ts';
import {
  balancesCommand,
  createPayoutCommand,
  explainCommand,
  listPayoutsCommand,
  previewPayoutCommand,
  showPayoutCommand,
  verifyLedgerCommand,
} from './money.ts';

const publisher = (): Option => new Option('--publisher <id>', 'the publisher').makeOptionMandatory();
const json = (): Option => new Option('--json', 'print JSON');

const uncountNow: UncountRow = (...row) => uncountRow(...row, systemClock.now());

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
    .addOption(json())
    .action((options: { json?: boolean }) =>
      withDatabase(async (db) => {
        if (!(await verifyLedgerCommand(db, options.json === true, print))) fail();
      }),
    );
  ledger
    .command('balance')
    .description('Show what each member is owed, by currency.')
    .addOption(publisher())
    .addOption(json())
    .action((options) => withDatabase((db) => balancesCommand(db, options, print)));
}

function addPayoutCommands(program: Command, { withDatabase, print, dataOutput }: CommandTools): void {
  const payouts = program
    .command('payouts')
    .description('Pay members: see, make, export and finish payouts.');
  for (const [name, description, run] of [
    ['preview', 'Show what a payout would pay now, and what would wait.', previewPayoutCommand],
    ['create', 'Make a payout, one batch a currency.', createPayoutCommand],
  ] as const) {
    payouts
      .command(name)
      .description(description)
      .addOption(publisher())
      .requiredOption('--group <id>', 'the creator group')
      .option('--currency <code>', 'this currency only')
      .option('--as-of <timestamp>', 'the moment to pay up to, as a preview prints it')
      .addOption(json())
      .action((options) => withDatabase((db) => run(db, options, print)));
  }
  payouts
    .command('list')
    .description('List payouts, newest first.')
    .addOption(publisher())
    .addOption(json())
    .action((options) => withDatabase((db) => listPayoutsCommand(db, options, print)));
  payouts
    .command('show')
    .argument('<payoutId>')
    .description('Show a payout with its members.')
    .addOption(publisher())
    .addOption(json())
    .action((payoutId: string, options) =>
      withDatabase((db) => showPayoutCommand(db, options, payoutId, print)),
    );
  payouts
    .command('export')
    .argument('<payoutId>')
    .description('Write a payout as CSV to standard output.')
    .addOption(publisher())
    .action((payoutId: string, options: { publisher: string }) =>
      withDatabase((db) => exportPayout(db, options.publisher, payoutId, dataOutput)),
    );
  payouts
    .command('mark-paid')
    .argument('<payoutId>')
    .description("Say that a payout's money has left.")
    .addOption(publisher())
    .action((payoutId: string, options: { publisher: string }) =>
      withDatabase(async (db) => {
        await markPayoutPaid(db, options.publisher, payoutId, systemClock.now());
        print(`Payout ${payoutId} is paid.`);
      }),
    );
  payouts
    .command('cancel')
    .argument('<payoutId>')
    .description('Take a payout back before it is paid.')
    .addOption(publisher())
    .action((payoutId: string, options: { publisher: string }) =>
      withDatabase(async (db) => {
        await cancelPayout(db, options.publisher, payoutId);
        print(`Payout ${payoutId} is cancelled; its rows can be paid again.`);
      }),
    );
  payouts
    .command('claw-back')
    .argument('<rowId>', 'the id of the attribution record')
    .description("Take back the money of a paid row; the member's next payout is that much smaller.")
    .addOption(publisher())
    .addOption(
      new Option('--status <status>', "the row's new status")
        .choices(['Refund', 'Fraud', 'Chargeback'])
        .makeOptionMandatory(),
    )
    .action((rowId: string, options: { publisher: string; status: 'Refund' | 'Fraud' | 'Chargeback' }) =>
      withDatabase(async (db) => {
        await clawBack(db, setStatus, uncountNow, options.publisher, rowId, options.status);
        print(`The money of ${rowId} is taken back with the member's next payout.`);
      }),
    );
}
