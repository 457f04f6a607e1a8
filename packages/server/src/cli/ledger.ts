import { type Command, Option } from 'commander';
import { formatMinorUnits } from '../platform/money.ts';
import { readBalances } from '../settlement/read-balances.ts';
import { type Progress, verifyLedgerSince } from '../settlement/verify/verify-ledger.ts';
import { inDatabase, jsonOption, type PublisherOptions, publisherOption, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { describeVerdict } from './print/describe-verdict.ts';
import { grouped } from './print/grouped.ts';
import { printList } from './print/print-list.ts';

interface VerifyOptions {
  all?: boolean;
  publisher?: string;
  json?: boolean;
}

export function addLedgerCommands(program: Command, tools: CommandTools): void {
  const ledger = program.command('ledger').description('Verify the ledger, and show what members are owed.');
  ledger
    .command('verify')
    .description(
      'Verify every balance, payout and rollup against the rows; print the first discrepancy (exit code 1).',
    )
    .option('--all', 'also check data that has not changed since its last verification')
    .addOption(new Option('--publisher <id>', 'only this publisher'))
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: VerifyOptions) => verify(work, tools, options)));
  ledger
    .command('balance')
    .description('Show what each member is owed, by currency.')
    .addOption(publisherOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: PublisherOptions) => balances(work, tools, options)));
}

/** Interval between progress messages, on a terminal and in a log. */
const reportEveryMs = { terminal: 1_000, log: 60_000 };

async function verify(
  { db }: Work,
  { print, warn, fail, isWatched }: CommandTools,
  { all = false, publisher, json = false }: VerifyOptions,
): Promise<void> {
  const everyMs = isWatched ? reportEveryMs.terminal : reportEveryMs.log;
  let reportedAt = performance.now();
  const onProgress = (progress: Progress): void => {
    if (performance.now() - reportedAt < everyMs) return;
    reportedAt = performance.now();
    warn(describe(progress));
  };
  const verdict = await verifyLedgerSince(db, {
    publisherId: publisher ?? null,
    all,
    savesProgress: true,
    ...(!json && { onProgress }),
  });
  if (json) print(JSON.stringify(verdict));
  else for (const line of describeVerdict(verdict)) print(line);
  if (!verdict.isSound) fail();
}

function describe({ publisherId, publisher, ofPublishers, rows, ofRows }: Progress): string {
  const percent = ofRows === 0 ? 0 : Math.min(99, Math.floor((100 * rows) / ofRows));
  return `${percent}% of publisher ${publisherId} (${publisher} of ${ofPublishers}): ${grouped(rows)} of about ${grouped(ofRows)} rows read`;
}

async function balances({ db }: Work, tools: CommandTools, options: PublisherOptions): Promise<void> {
  const balances = await readBalances(db, options.publisher);
  printList(tools, options, {
    rows: balances,
    json: { balances },
    columns: {
      GROUP: ({ groupId }) => groupId,
      MEMBER: ({ memberId }) => memberId,
      NAME: ({ name }) => name,
      CURRENCY: ({ currency }) => currency,
      BALANCE: ({ balanceMinor, currency }) => formatMinorUnits(balanceMinor, currency),
    },
    empty: `Publisher ${options.publisher} owes its members nothing.`,
  });
}
