import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { formatMinorUnits } from '../platform/money.ts';
import { Refusal } from '../platform/refusal.ts';
import { parseResults, type WantedResult } from '../settlement/payouts/results/parse-results.ts';
import { type LineResult, lineResults } from '../settlement/payouts/results/result.ts';
import { jsonOption, type PublisherOptions, toJson, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { printList } from './print/print-list.ts';

interface ImportOptions extends PublisherOptions {
  apply?: boolean;
}

interface ResultOptions extends PublisherOptions {
  result: LineResult;
  note?: string;
}

/** Arguments that name a payout, and a file or a line. */
type Names = [payoutId: string, other: string];

/** @param wrap wraps the action of a payout command */
export function addPayoutResultCommands(
  add: (name: string, description: string) => Command,
  tools: CommandTools,
  wrap: <Options extends PublisherOptions>(
    action: (work: Work, ...args: [...Names, Options]) => Promise<void>,
  ) => (...args: [...Names, Options, Command]) => Promise<void>,
): void {
  add('import-results', "Check a CSV file with results of a payout's lines, and set them with --apply.")
    .argument('<payoutId>')
    .argument('<file>', 'CSV with the columns reference, status and, optionally, note')
    .option('--apply', 'set the results; without it, nothing is changed')
    .addOption(jsonOption())
    .action(
      wrap(async (work, payoutId, file, options: ImportOptions) => {
        const text = await readFile(file, 'utf8').catch((error: unknown) => {
          throw new Refusal('InvalidInput', `The file ${file} can't be read.`, { cause: error });
        });
        await set(work, tools, { payoutId, results: parseResults(text), isDryRun: !options.apply }, options);
      }),
    );
  add('set-result', "Set the result of one of a payout's lines.")
    .argument('<payoutId>')
    .argument('<reference>', 'reference of the line, such as 1042-00017')
    .addOption(new Option('--result <result>', 'result').choices(lineResults).makeOptionMandatory())
    .option('--note <text>', "note to the creator, such as the bank's reason")
    .addOption(jsonOption())
    .action(
      wrap((work, payoutId, reference, options: ResultOptions) => {
        const { result, note = null } = options;
        const wanted = { line: 1, reference: reference.toUpperCase(), result, note, problem: null };
        return set(work, tools, { payoutId, results: [wanted], isDryRun: false }, options);
      }),
    );
}

/** Prints a verdict on each line, and fails if a line's result couldn't be set. */
async function set(
  { db, actor, operations }: Work,
  tools: CommandTools,
  setting: { payoutId: string; results: readonly WantedResult[]; isDryRun: boolean },
  { publisher, ...options }: PublisherOptions,
): Promise<void> {
  const { setResults } = await operations();
  const { payout, verdicts, owedAgainMinor } = await setResults(db, actor, {
    publisherId: publisher,
    ...setting,
  });
  const { currency } = payout;
  const changed = verdicts.filter(({ verdict }) => verdict === 'change').length;
  const wrong = verdicts.filter(({ problem }) => problem !== null).length;
  if (options.json) tools.printDone(toJson({ isDryRun: setting.isDryRun, owedAgainMinor, lines: verdicts }));
  else {
    printList(tools, options, {
      rows: verdicts,
      json: {},
      columns: {
        LINE: ({ line }) => String(line),
        REFERENCE: ({ reference }) => reference,
        FROM: ({ from }) => from ?? '-',
        TO: ({ to }) => to ?? '-',
        NAME: ({ item }) => item?.name ?? '-',
        AMOUNT: ({ item }) => (item === null ? '-' : formatMinorUnits(item.amountMinor, currency)),
        VERDICT: ({ verdict, problem }) => (problem === null ? verdict : `${verdict}: ${problem}`),
      },
      empty: 'No lines.',
    });
    tools.printDone(
      `${changed} line(s) ${setting.isDryRun ? 'would change' : 'changed'}. ` +
        `${formatMinorUnits(owedAgainMinor, currency)} ${currency} ${setting.isDryRun ? 'would be' : 'is'} owed again, in the members' next payouts.`,
    );
  }
  if (wrong > 0)
    throw new Refusal('Conflict', `${wrong} of ${verdicts.length} line(s) can't have the specified result.`);
}
