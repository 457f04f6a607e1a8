import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { toAccountId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import { endGate } from '../settlement/gates/end-gate.ts';
import { remindDays } from '../settlement/gates/ending-clearances.ts';
import { type GateKind, gateKinds } from '../settlement/gates/gates.ts';
import { importClearances } from '../settlement/gates/import/import-clearances.ts';
import { parseClearances } from '../settlement/gates/import/parse-clearances.ts';
import { listGates } from '../settlement/gates/list-gates.ts';
import type { Gate } from '../settlement/gates/read-gates.ts';
import { setGate } from '../settlement/gates/set-gate.ts';
import {
  cursorOption,
  inDatabase,
  jsonOption,
  limitOption,
  type PageOptions,
  type PublisherOptions,
  pageOf,
  publisherOption,
  toJson,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { timestampArgument } from './payout-options.ts';
import { printList } from './print/print-list.ts';

interface SetOptions extends PublisherOptions {
  member: string;
  from?: Date | null;
  until?: Date | null;
  note: string;
}

interface ListOptions extends PublisherOptions, PageOptions {
  kind?: GateKind;
  member?: string;
  ending?: boolean;
}

const maxListed = 1_000;

export function addGateCommands(program: Command, tools: CommandTools): void {
  const gates = program.command('gates').description('Manage tax clearances and reviews of creators.');
  const add = (name: string, description: string): Command =>
    gates.command(name).description(description).addOption(publisherOption());
  const aboutMember = (name: string, description: string): Command =>
    add(name, description)
      .requiredOption('--member <id>', 'account of the creator')
      .addOption(
        new Option('--until <timestamp>', 'time at which it ends automatically').argParser(timestampArgument),
      )
      .requiredOption('--note <text>', 'note, 1 to 500 characters, without tax numbers')
      .addOption(jsonOption());
  aboutMember('clear-tax', "Record that a creator's tax form is in order.")
    .addOption(new Option('--from <timestamp>', 'start; the default is now').argParser(timestampArgument))
    .action(inDatabase(tools, (work, options: SetOptions) => set(work, tools, 'tax', options)));
  aboutMember('review', 'Keep everything that a creator is due out of payouts.').action(
    inDatabase(tools, (work, options: SetOptions) => set(work, tools, 'review', options)),
  );
  add('import', 'Check a CSV file with tax clearances, and set them with --apply.')
    .argument('<file>', 'CSV with the columns memberId, until (last day), note and, optionally, from')
    .option('--apply', 'set the clearances; without it, nothing is changed')
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, file: string, options: PublisherOptions & { apply?: boolean }) =>
        importFile(work, tools, file, options),
      ),
    );
  add('end', 'End a review, or revoke a tax clearance.')
    .argument('<gateId>')
    .requiredOption('--reason <text>', 'reason, 1 to 500 characters')
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, gateId: string, options: PublisherOptions & { reason: string }) =>
        end(work, tools, gateId, options),
      ),
    );
  add('list', 'List open tax clearances and reviews, newest first.')
    .addOption(new Option('--kind <kind>', 'only this kind').choices([...gateKinds]))
    .option('--member <id>', 'only gates of this creator')
    .option('--ending', `only tax clearances that end within ${remindDays} days`)
    .addOption(limitOption(maxListed, 100))
    .addOption(cursorOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: ListOptions) => list(work, tools, options)));
}

async function set(
  { db, actor }: Work,
  { printDone }: CommandTools,
  kind: GateKind,
  { publisher, member, from = null, until = null, note, json }: SetOptions,
): Promise<void> {
  await requirePublisher(db, publisher);
  const gate = await setGate(db, actor, {
    publisherId: publisher,
    memberId: toAccountId(member),
    kind,
    from,
    until,
    note,
  });
  const end = gate.until === null ? '' : ` until ${gate.until.toISOString()}`;
  printDone(
    json
      ? toJson(gate)
      : `Gate ${gate.gateId}: ${gate.memberId} ${kind === 'tax' ? `has a tax clearance${end}` : `is under review${end}`}.`,
  );
}

async function end(
  { db, actor }: Work,
  { printDone }: CommandTools,
  gateId: string,
  { publisher, reason, json }: PublisherOptions & { reason: string },
): Promise<void> {
  await requirePublisher(db, publisher);
  const gate = await endGate(db, actor, { publisherId: publisher, gateId, reason });
  printDone(json ? toJson(gate) : `${nameOf(gate)} of ${gate.memberId} has ended.`);
}

const nameOf = ({ kind }: Gate): string => (kind === 'tax' ? 'The tax clearance' : 'The review');

/** Prints a verdict on each line, and fails if a line was rejected. */
async function importFile(
  { db, actor }: Work,
  tools: CommandTools,
  file: string,
  { publisher, apply, json }: PublisherOptions & { apply?: boolean },
): Promise<void> {
  await requirePublisher(db, publisher);
  const csv = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Refusal('InvalidInput', `The file ${file} can't be read.`, { cause: error });
  });
  const isDryRun = !apply;
  const clearances = parseClearances(csv);
  const verdicts = await importClearances(db, actor, { publisherId: publisher, clearances, isDryRun });
  const changed = verdicts.filter(({ verdict }) => verdict === 'change').length;
  const wrong = verdicts.filter(({ problem }) => problem !== null).length;
  if (json) tools.printDone(toJson({ isDryRun, lines: verdicts.map(({ accountId, ...line }) => line) }));
  else {
    printList(
      tools,
      {},
      {
        rows: verdicts,
        json: {},
        columns: {
          LINE: ({ line }) => String(line),
          CREATOR: ({ memberId }) => memberId,
          NAME: ({ name }) => name ?? '-',
          UNTIL: ({ until }) => until?.toISOString() ?? '-',
          VERDICT: ({ verdict, problem }) => (problem === null ? verdict : `${verdict}: ${problem}`),
        },
        empty: 'No lines.',
      },
    );
    tools.printDone(`${changed} tax clearance(s) ${isDryRun ? 'would be set' : 'set'}.`);
  }
  if (wrong > 0) throw new Refusal('Conflict', `${wrong} of ${verdicts.length} line(s) can't be set.`);
}

async function list({ db, pages }: Work, tools: CommandTools, options: ListOptions): Promise<void> {
  const { publisher: publisherId, kind = null, member } = options;
  await requirePublisher(db, publisherId);
  const memberId = member === undefined ? null : toAccountId(member);
  const filter = { publisherId, kind, memberId, isEnding: options.ending ?? false };
  const { rows: gates, nextCursor } = await listGates(db, await pages(), filter, pageOf(options));
  printList(tools, options, {
    rows: gates,
    nextCursor,
    json: { gates, nextCursor },
    columns: {
      GATE: ({ gateId }) => gateId,
      KIND: ({ kind }) => kind,
      CREATOR: ({ memberId }) => memberId,
      NAME: ({ name }) => name,
      FROM: ({ from }) => from.toISOString(),
      UNTIL: ({ until }) => until?.toISOString() ?? '-',
      NOTE: ({ note }) => note,
    },
    empty: options.ending
      ? `No tax clearances of publisher ${publisherId} end within ${remindDays} days.`
      : `Publisher ${publisherId} has no open tax clearances or reviews.`,
  });
}
