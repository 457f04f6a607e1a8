import { type Command, Option } from 'commander';
import { formatMinorUnits } from '../platform/money.ts';
import { readBalances } from '../settlement/read-balances.ts';
import { type Progress, verifyLedgerSince } from '../settlement/verify/verify-ledger.ts';
import {
  inDatabase,
  jsonOption,
  type PublisherOptions,
  publisherOption,
  toJson,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { grouped } from './print/grouped.ts';
import { ledgerWords } from './print/ledger-words.ts';
import { printTable } from './print/print-table.ts';

interface VerifyOptions {
  all?: boolean;
  publisher?: string;
  json?: boolean;
}

/** ledger: what members are owed, and its proof. */
export function addLedgerCommands(program: Command, tools: CommandTools): void {
  const ledger = program.command('ledger').description('Prove and show what members are owed.');
  ledger
    .command('verify')
    .description(
      'Prove that every balance is explained; name the first row or sum that is not (exit code 1).',
    )
    .option('--all', 'look at what has not moved since it was found sound, too')
    .addOption(new Option('--publisher <id>', 'this publisher only'))
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: VerifyOptions) => verify(work, tools, options)));
  ledger
    .command('balance')
    .description('Show what each member is owed, by currency.')
    .addOption(publisherOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: PublisherOptions) => balances(work, tools, options)));
}

/** To somebody who watches, and to a log. */
const tellEveryMs = { terminal: 1_000, log: 60_000 };

async function verify(
  { db }: Work,
  { print, warn, fail, isWatched }: CommandTools,
  { all = false, publisher, json = false }: VerifyOptions,
): Promise<void> {
  const everyMs = isWatched ? tellEveryMs.terminal : tellEveryMs.log;
  let toldAt = performance.now();
  const onProgress = (progress: Progress): void => {
    if (performance.now() - toldAt < everyMs) return;
    toldAt = performance.now();
    warn(inWords(progress));
  };
  const verdict = await verifyLedgerSince(db, {
    publisherId: publisher ?? null,
    all,
    savesProgress: true,
    ...(!json && { onProgress }),
  });
  if (json) print(JSON.stringify(verdict));
  else for (const line of ledgerWords(verdict)) print(line);
  if (!verdict.isSound) fail();
}

function inWords({ publisherId, publisher, ofPublishers, rows, ofRows }: Progress): string {
  const percent = ofRows === 0 ? 0 : Math.min(99, Math.floor((100 * rows) / ofRows));
  return `${percent} % of publisher ${publisherId} (${publisher} of ${ofPublishers}): ${grouped(rows)} of about ${grouped(ofRows)} rows read`;
}

async function balances(
  { db }: Work,
  { print }: CommandTools,
  { publisher, json }: PublisherOptions,
): Promise<void> {
  const balances = await readBalances(db, publisher);
  if (json) print(toJson({ balances }));
  else if (balances.length === 0) print(`Publisher ${publisher} owes nobody anything.`);
  else
    printTable(
      ['GROUP', 'MEMBER', 'NAME', 'CURRENCY', 'BALANCE'],
      balances.map(({ groupId, memberId, name, currency, balanceMinor }) => [
        groupId,
        memberId,
        name,
        currency,
        formatMinorUnits(balanceMinor, currency),
      ]),
      print,
    );
}
