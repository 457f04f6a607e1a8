import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Db } from '../platform/database/database.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import { Refusal } from '../platform/refusal.ts';
import { readGroups } from '../publishers/read-groups.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import type { Block } from '../settlement/payouts/create/blocks.ts';
import { type PreviewedPayable, previewPayout } from '../settlement/payouts/create/preview-payout.ts';
import { readReductions } from '../settlement/payouts/create/reductions.ts';
import { exportPayouts } from '../settlement/payouts/read/export-payout.ts';
import { type PayoutBatch, readPayouts } from '../settlement/payouts/read/read-payouts.ts';
import {
  findPayRunAt,
  getPayRun,
  type PayRunLine,
  readRunLines,
} from '../settlement/payouts/runs/read-pay-runs.ts';
import { type RunLine, startPayRun } from '../settlement/payouts/runs/start-pay-run.ts';
import { takeRunCutoff } from '../settlement/payouts/runs/take-run-cutoff.ts';
import { resumePayRun, workPayRun } from '../settlement/payouts/runs/work-pay-run.ts';
import { jsonOption, type PublisherOptions, toJson, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { asTime, exactlyOption } from './payout-options.ts';
import { printList } from './print/print-list.ts';
import { reductionsInWords } from './print/reductions-in-words.ts';

interface RunOptions extends PublisherOptions {
  asOf?: string;
  except: string[];
  exactly?: boolean;
}

export interface ChosenOptions extends PublisherOptions {
  run?: string;
}

type Action<Options> = (work: Work, options: Options) => Promise<void>;

/** @param wrap wraps the action of a payout command */
export function addPayRunCommands(
  add: (name: string, description: string) => Command,
  tools: CommandTools,
  wrap: (action: Action<RunOptions>) => (...args: [RunOptions, Command]) => Promise<void>,
): void {
  const command = (name: string, description: string): Command =>
    add(name, description)
      .option('--as-of <timestamp>', 'cutoff of the payouts, as printed by the preview')
      .option(
        '--except <group[:currency]>',
        'leave out a group, or one of its currencies; can be repeated',
        (text: string, others: string[]) => [...others, text],
        [],
      )
      .addOption(jsonOption());
  command('preview-all', 'Show what payouts for all groups would pay now.').action(
    wrap((work, options) => previewAll(work, tools, options)),
  );
  command('create-all', 'Create the payouts of all groups and currencies.')
    .addOption(exactlyOption())
    .action(wrap((work, options) => createAll(work, tools, options)));
}

interface Sums {
  groupId: string;
  currency: string;
  memberCount: number;
  dueMinor: bigint;
  belowMinimumMinor: bigint;
  /** Amounts owed to creators who are under review or lack something that payouts need. */
  blockedMinor: bigint;
  /** Amounts that members owe the publisher; zero or less. */
  repayingMinor: bigint;
  /** Amounts that holds keep out of the payouts. */
  onHoldMinor: bigint;
}

interface AllPreviewed {
  asOf: Date;
  sums: Sums[];
  /** Reasons why groups can't be previewed. */
  problems: { groupId: string; message: string }[];
}

async function readAll(db: Db, { publisher, asOf: given, except }: RunOptions): Promise<AllPreviewed> {
  await requirePublisher(db, publisher);
  const asOf = given === undefined ? await takeRunCutoff(db, publisher) : asTime(given);
  const sums: Sums[] = [];
  const problems: AllPreviewed['problems'] = [];
  const groups = await readGroups(db, publisher);
  requireKnown(except, groups);
  for (const { groupId } of groups) {
    if (except.includes(groupId)) continue;
    try {
      const request = { publisherId: publisher, groupId, currency: null, asOf };
      const { payables } = await previewPayout(db, request);
      sums.push(
        ...sumsOf(groupId, payables).filter(({ currency }) => !except.includes(`${groupId}:${currency}`)),
      );
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
      problems.push({ groupId, message: error.message });
    }
  }
  return { asOf, sums, problems };
}

/**
 * Rejects an exception for an unknown group. Otherwise, a typo would cause a group that should be left out to be paid.
 */
function requireKnown(except: readonly string[], groups: readonly { groupId: string }[]): void {
  for (const each of except)
    if (
      groups.every(
        ({ groupId }) => each !== groupId && !(each.startsWith(`${groupId}:`) && /:[A-Z]{3}$/.test(each)),
      )
    )
      throw new OperatorError(
        `--except ${each} doesn't name a group. Specify a group, or a group and a currency, such as main:USD.`,
      );
}

const sumsOf = (groupId: string, payables: readonly PreviewedPayable[]): Sums[] =>
  [...Map.groupBy(payables, ({ currency }) => currency)].map(([currency, members]) => {
    const total = (isCounted: (member: PreviewedPayable) => boolean): bigint =>
      members.reduce((sum, member) => (isCounted(member) ? sum + member.amountMinor : sum), 0n);
    return {
      groupId,
      currency,
      memberCount: members.filter(({ isDue }) => isDue).length,
      dueMinor: total(({ isDue }) => isDue),
      belowMinimumMinor: total(
        ({ isDue, amountMinor, blocks }) => !isDue && amountMinor > 0n && blocks.every(isMinimum),
      ),
      blockedMinor: total(({ isDue, blocks }) => !isDue && !blocks.every(isMinimum)),
      repayingMinor: total(({ amountMinor }) => amountMinor < 0n),
      onHoldMinor: members.reduce((sum, { onHold }) => sum + (onHold?.amountMinor ?? 0n), 0n),
    };
  });

const isMinimum = (block: Block): boolean => block === 'minimum';

async function previewAll({ db }: Work, tools: CommandTools, options: RunOptions): Promise<void> {
  const { asOf, sums, problems } = await readAll(db, options);
  const money = (amount: (sums: Sums) => bigint) => (each: Sums) =>
    formatMinorUnits(amount(each), each.currency);
  const exceptions = options.except.map((each) => ` --except ${each}`).join('');
  const creating = `${asTyped('payouts create-all')} --publisher ${options.publisher}${exceptions} --as-of ${asOf.toISOString()}`;
  printList(tools, options, {
    rows: sums,
    json: { asOf, sums, problems },
    columns: {
      GROUP: ({ groupId }) => groupId,
      CURRENCY: ({ currency }) => currency,
      MEMBERS: ({ memberCount }) => String(memberCount),
      DUE: money(({ dueMinor }) => dueMinor),
      'BELOW MINIMUM': money(({ belowMinimumMinor }) => belowMinimumMinor),
      BLOCKED: money(({ blockedMinor }) => blockedMinor),
      'OWED BACK': money(({ repayingMinor }) => (repayingMinor < 0n ? -repayingMinor : 0n)),
      HELD: money(({ onHoldMinor }) => onHoldMinor),
    },
    empty: 'No member has unpaid earnings past the hold period.',
    below: [
      ...problems.map(({ groupId, message }) => `Not previewed: group ${groupId}. ${message}`),
      ...(sums.some(({ dueMinor }) => dueMinor > 0n) ? [`\nTo pay this: ${creating}`] : []),
    ],
  });
}

/** Starts or continues the run with a cutoff, and waits until all of its payouts are created or have failed. */
async function createAll({ db, actor }: Work, tools: CommandTools, options: RunOptions): Promise<void> {
  const { publisher: publisherId } = options;
  const { lines, problems, asOf } = (await linesOfEarlierRun(db, options)) ?? (await linesDue(db, options));
  for (const { groupId, message } of problems) tools.warn(`Left out: group ${groupId}. ${message}`);
  if (problems.length > 0) tools.fail();
  if (lines.length === 0) {
    tools.printDone(
      options.json
        ? toJson({ payRunId: null, asOf, lines: [], problems })
        : 'Nothing is due: no payout was created.',
    );
    return;
  }
  const { payRunId, leaseId } = await startPayRun(db, actor, {
    publisherId,
    asOf,
    lines,
    isExact: options.exactly === true,
  });
  const onError = (error: unknown): void =>
    tools.warn(`error: ${error instanceof Error ? error.message : error}`);
  if (leaseId !== null) await workPayRun(db, { publisherId, payRunId, leaseId }, { actor, onError });
  await finish(db, publisherId, payRunId, onError);
  const done = await readRunLines(db, publisherId, payRunId);
  const created = done.flatMap(({ payout }) => payout?.batchId ?? []);
  const reductions = await readReductions(db, publisherId, created);
  tools.printDone(
    options.json
      ? toJson({ payRunId, asOf, lines: done, problems, reductions })
      : [inWords(payRunId, done), ...reductionsInWords(reductions)].join('\n'),
  );
  for (const { groupId, currency, failure } of done)
    if (failure !== null) {
      tools.warn(`Not created: group ${groupId} in ${currency}. ${failure.message}`);
      tools.fail();
    }
}

interface LinesToCreate {
  lines: RunLine[];
  problems: AllPreviewed['problems'];
  asOf: Date;
}

/** Reads the lines of a run that was started with the same cutoff; null if there is none. */
async function linesOfEarlierRun(
  db: Db,
  { publisher, asOf, except }: RunOptions,
): Promise<LinesToCreate | null> {
  const run = asOf === undefined ? null : await findPayRunAt(db, publisher, asTime(asOf));
  if (run === null) return null;
  const lines = await readRunLines(db, publisher, run.payRunId);
  const isWanted = ({ groupId, currency }: PayRunLine): boolean =>
    !except.includes(groupId) && !except.includes(`${groupId}:${currency}`);
  return { lines: lines.filter(isWanted), problems: [], asOf: run.asOf };
}

async function linesDue(db: Db, options: RunOptions): Promise<LinesToCreate> {
  const { asOf, sums, problems } = await readAll(db, options);
  const lines = sums
    .filter(({ dueMinor }) => dueMinor > 0n)
    .map(({ groupId, currency, dueMinor }) => ({ groupId, currency, totalMinor: dueMinor }));
  return { lines, problems, asOf };
}

/** Waits while another process is working on the run, and takes over if that process has died. */
async function finish(
  db: Db,
  publisherId: string,
  payRunId: string,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!(await getPayRun(db, publisherId, payRunId)).isDone)
    if ((await resumePayRun(db, publisherId, onError)) === 0) await sleep(500);
}

const inWords = (payRunId: string, lines: readonly PayRunLine[]): string =>
  [
    `Pay run ${payRunId}:`,
    ...lines.flatMap(({ payout }) => (payout === null ? [] : [`  ${payoutInWords(payout)}`])),
  ].join('\n');

const payoutInWords = ({ batchId, groupId, currency, totalMinor, memberCount }: PayoutBatch): string =>
  `Payout ${batchId} of group ${groupId}: ${formatMinorUnits(totalMinor, currency)} ${currency} to ${memberCount} member(s).`;

/**
 * Reads the payouts named in a command, one by one or as a run. A run's canceled payouts are left out.
 * @throws OperatorError when neither or both are named
 */
async function chosenPayouts(
  db: Db,
  publisherId: string,
  payoutIds: readonly string[],
  { run }: ChosenOptions,
): Promise<PayoutBatch[]> {
  if ((run === undefined) === (payoutIds.length === 0))
    throw new OperatorError('Specify payouts, or a pay run with --run.');
  if (run === undefined) return readPayouts(db, publisherId, payoutIds);
  const { payRunId } = await getPayRun(db, publisherId, run);
  return (await readRunLines(db, publisherId, payRunId))
    .flatMap(({ payout }) => payout ?? [])
    .filter(({ status }) => status !== 'Cancelling' && status !== 'Cancelled');
}

export const exportChosen = async (
  { db }: Work,
  { dataOutput }: CommandTools,
  payoutIds: readonly string[],
  options: ChosenOptions,
): Promise<void> =>
  exportPayouts(
    db,
    options.publisher,
    await chosenPayouts(db, options.publisher, payoutIds, options),
    dataOutput,
  );

export async function markChosenPaid(
  { db, actor, operations }: Work,
  { printDone, warn, fail }: CommandTools,
  payoutIds: readonly string[],
  options: ChosenOptions,
): Promise<void> {
  const { publisher: publisherId, json } = options;
  const chosen = (await chosenPayouts(db, publisherId, payoutIds, options)).map(({ batchId }) => batchId);
  const { markPayoutsPaid } = await operations();
  const outcomes = await markPayoutsPaid(db, actor, { publisherId, payoutIds: chosen });
  const refused = outcomes.flatMap(({ refused }) => refused ?? []);
  printDone(
    json
      ? toJson({ payouts: await readPayouts(db, publisherId, chosen) })
      : `${outcomes.length - refused.length} of ${outcomes.length} payouts are marked as paid.`,
  );
  for (const { message } of refused) {
    warn(message);
    fail();
  }
}
