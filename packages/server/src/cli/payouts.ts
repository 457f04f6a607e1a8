import { type Command, Option } from 'commander';
import { currencyExponent } from '../platform/currencies.ts';
import { formatMinorUnits, toMinorUnits } from '../platform/money.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import { readPaidRows } from '../settlement/claw-back/read-paid-rows.ts';
import { cancelPayout } from '../settlement/payouts/cancel-payout.ts';
import { createPayout } from '../settlement/payouts/create/create-payout.ts';
import type { Payable } from '../settlement/payouts/create/payable.ts';
import type { PayoutRequest } from '../settlement/payouts/create/plan-payout.ts';
import { type PreviewedPayable, previewPayout } from '../settlement/payouts/create/preview-payout.ts';
import { exportPayout } from '../settlement/payouts/read/export-payout.ts';
import { listPayoutItems } from '../settlement/payouts/read/list-payout-items.ts';
import { listPayouts } from '../settlement/payouts/read/list-payouts.ts';
import { readPlannedDays } from '../settlement/payouts/read/read-calendars.ts';
import { getPayout } from '../settlement/payouts/read/read-payouts.ts';
import { resumePayouts } from '../settlement/payouts/resume-payouts.ts';
import type { Reversal } from '../settlement/reverse-payment.ts';
import {
  cursorOption,
  inDatabase,
  jsonOption,
  limitOption,
  type PageOptions,
  type PublisherOptions,
  pageOf,
  publisherOption,
  reasonOption,
  toJson,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { addPayRunCommands, type ChosenOptions, exportChosen, markChosenPaid } from './pay-runs.ts';
import { addPayoutFileCommand } from './payout-files.ts';
import { asTime, currencyCode, exactlyOption } from './payout-options.ts';
import { addPayoutPeriodCommands } from './payout-periods.ts';
import { addPayoutResultCommands } from './payout-results.ts';
import { printList } from './print/print-list.ts';
import { reductionsInWords } from './print/reductions-in-words.ts';

interface RequestOptions extends PublisherOptions {
  group: string;
  currency?: string;
  asOf?: string;
  exactly?: boolean;
}

interface ReasonOptions extends PublisherOptions {
  reason?: string;
}

interface ClawBackOptions extends ReasonOptions {
  status: Reversal;
  amount?: string;
}

const maxListed = 1_000;

export function addPayoutCommands(program: Command, tools: CommandTools): void {
  const payouts = program
    .command('payouts')
    .description('Preview, create, export and finish payouts to members.');
  const add = (name: string, description: string): Command =>
    payouts.command(name).description(description).addOption(publisherOption());

  requested(add('preview', 'Show what a payout would pay now, and what is not due yet.')).action(
    withPayouts(tools, (work, options: RequestOptions) => preview(work, tools, options)),
  );
  requested(add('create', 'Create a payout, one batch per currency.'))
    .addOption(exactlyOption())
    .action(withPayouts(tools, (work, options: RequestOptions) => create(work, tools, options)));
  addPayRunCommands(add, tools, (action) => withPayouts(tools, action));
  paged(add('list', 'List payouts, newest first.')).action(
    withPayouts(tools, (work, options: PublisherOptions & PageOptions) => list(work, tools, options)),
  );
  paged(add('show', 'Show a payout with its members.'))
    .argument('<payoutId>')
    .action(
      withPayouts(tools, (work, payoutId: string, options: PublisherOptions & PageOptions) =>
        show(work, tools, payoutId, options),
      ),
    );
  several(add('export', 'Write a payout as CSV to standard output, or several payouts as one file.')).action(
    withPayouts(tools, (work, payoutIds: string[], options: ChosenOptions) => {
      const only = onlyPayout(payoutIds, options);
      return only === null
        ? exportChosen(work, tools, payoutIds, options)
        : exportPayout(work.db, { publisherId: options.publisher, named: only }, tools.dataOutput);
    }),
  );
  addPayoutPeriodCommands(add, tools, (action) => withPayouts(tools, action));
  several(add('mark-paid', 'Record that the money for payouts has been sent.'))
    .addOption(jsonOption())
    .action(
      withPayouts(tools, (work, payoutIds: string[], options: ChosenOptions) => {
        const only = onlyPayout(payoutIds, options);
        return only === null
          ? markChosenPaid(work, tools, payoutIds, options)
          : markPaid(work, tools, only, options);
      }),
    );
  addPayoutFileCommand(add, tools);
  addPayoutResultCommands(add, tools, (action) => withPayouts(tools, action));
  add('cancel', 'Cancel a payout that has not been paid yet.')
    .argument('<payoutId>')
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(
      withPayouts(tools, (work, payoutId: string, options: ReasonOptions) =>
        cancel(work, tools, payoutId, options),
      ),
    );
  add('claw-back', "Claw back the share of a paid row by deducting it from the member's next payout.")
    .argument('<rowId>', 'id of the row (the id of its attribution record)')
    .addOption(
      new Option('--status <status>', 'new status of the row')
        .choices(['Refund', 'Fraud', 'Chargeback'])
        .makeOptionMandatory(),
    )
    .option('--amount <amount>', 'part of the share, such as 3.50; the default is all that is left')
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(
      withPayouts(tools, (work, rowId: string, options: ClawBackOptions) =>
        clawBack(work, tools, rowId, options),
      ),
    );
}

const requested = (command: Command): Command =>
  command
    .requiredOption('--group <id>', 'id of the creator group')
    .option('--currency <code>', 'only this currency', currencyCode)
    .option('--as-of <timestamp>', 'cutoff of the payout, as printed by the preview')
    .addOption(jsonOption());

const several = (command: Command): Command =>
  command
    .argument('[payoutIds...]')
    .option('--run <payRunId>', 'all payouts of a pay run, except canceled ones');

const onlyPayout = (payoutIds: readonly string[], { run }: ChosenOptions): string | null =>
  run === undefined && payoutIds.length === 1 ? (payoutIds[0] ?? null) : null;

const paged = (command: Command): Command =>
  command.addOption(limitOption(maxListed, 100)).addOption(cursorOption()).addOption(jsonOption());

/** Wraps an action so that payouts left unfinished by an interrupted command are finished first. */
const withPayouts = <Args extends [...unknown[], PublisherOptions]>(
  tools: CommandTools,
  action: (work: Work, ...args: Args) => Promise<void>,
) =>
  inDatabase(tools, async (work, ...args: Args) => {
    const { publisher } = args.at(-1) as PublisherOptions;
    await resumePayouts(work.db, publisher);
    await action(work, ...args);
  });

async function preview({ db }: Work, tools: CommandTools, options: RequestOptions): Promise<void> {
  const { publisher, group, currency } = options;
  const { asOf, payables } = await previewPayout(db, asRequest(options));
  const days = await readPlannedDays(db, { publisherId: publisher, groupIds: [group], at: asOf });
  const plannedFor = days.get(group) ?? null;
  const only = currency === undefined ? '' : ` --currency ${currency}`;
  const creating = `${asTyped('payouts create')} --publisher ${publisher} --group ${group}${only} --as-of ${asOf.toISOString()}`;
  printList(tools, options, {
    rows: payables,
    json: { asOf, plannedFor, payables },
    above: plannedFor === null ? [] : [`Planned for ${plannedFor.toISOString().slice(0, 10)} (UTC).\n`],
    columns: {
      MEMBER: ({ memberId }) => memberId,
      NAME: ({ name }) => name,
      CURRENCY: ({ currency }) => currency,
      ...sums,
      '': (payable) => [stateOf(payable), ...onHoldOf(payable)].filter((each) => each !== '').join('; '),
    },
    empty: 'No member has unpaid earnings past the hold period.',
    below: payables.some(({ isDue }) => isDue) ? [`\nTo pay this: ${creating}`] : [],
  });
}

function stateOf(payable: PreviewedPayable): string {
  const { isDue, amountMinor, minimumMinor, currency, onHold, waiting } = payable;
  if (isDue) return 'due';
  const reasons = waiting.flatMap(({ reasons }) => reasons);
  const blocking = reasons.flatMap(({ kind, note, until }) => {
    const end = until === null ? '' : ` until ${until.toISOString()}`;
    if (kind === 'review') return [`under review${end}: ${note}`];
    if (kind === 'no-method') return ['no method for this currency'];
    if (kind === 'new-method') return [`method new${end}`];
    return kind === 'tax' ? ['no tax clearance'] : [];
  });
  const isBelow = reasons.some(({ kind }) => kind === 'minimum') || (amountMinor <= 0n && onHold === null);
  return [
    ...new Set(blocking),
    ...(isBelow ? [`below the minimum (${formatMinorUnits(minimumMinor, currency)})`] : []),
  ].join('; ');
}

/** Describes the amounts that holds keep out of the payout, such as `held: 3, 12.40 USD, dispute`. */
const onHoldOf = ({ onHold, currency }: PreviewedPayable): string[] =>
  onHold === null
    ? []
    : [
        `held: ${onHold.rowCount}, ${formatMinorUnits(onHold.amountMinor, currency)} ${currency}, ` +
          onHold.holds
            .map(({ reason, endsAt }) =>
              endsAt === null ? reason : `${reason} until ${endsAt.toISOString()}`,
            )
            .join(', '),
      ];

async function create(
  { db, actor }: Work,
  { printDone }: CommandTools,
  options: RequestOptions,
): Promise<void> {
  if (options.exactly && options.asOf === undefined)
    throw new OperatorError('--exactly requires --as-of, the cutoff that the preview printed.');
  const { payouts: batches, reductions } = await createPayout(db, actor, asRequest(options));
  if (options.json) {
    printDone(toJson({ batches, reductions }));
    return;
  }
  if (batches.length === 0) printDone('Nothing is due: no payout was created.');
  for (const { batchId, currency, totalMinor, memberCount, rowCount, isNew } of batches)
    printDone(
      `Payout ${batchId}: ${formatMinorUnits(totalMinor, currency)} ${currency} to ${memberCount} member(s) for ${rowCount} row(s)${isNew ? '' : ', created earlier'}.`,
    );
  for (const line of reductionsInWords(reductions)) printDone(line);
}

async function list(
  { db, pages }: Work,
  tools: CommandTools,
  options: PublisherOptions & PageOptions,
): Promise<void> {
  const { publisher } = options;
  const { rows: batches, nextCursor } = await listPayouts(db, await pages(), publisher, pageOf(options));
  printList(tools, options, {
    rows: batches,
    nextCursor,
    json: { batches, nextCursor },
    columns: {
      PAYOUT: ({ batchId }) => batchId,
      NUMBER: ({ number }) => String(number),
      GROUP: ({ groupId }) => groupId,
      STATUS: ({ status }) => status,
      CURRENCY: ({ currency }) => currency,
      TOTAL: ({ totalMinor, currency }) => formatMinorUnits(totalMinor, currency),
      MEMBERS: ({ memberCount }) => String(memberCount),
      ROWS: ({ rowCount }) => String(rowCount),
      CREATED: ({ createdAt }) => createdAt.toISOString(),
    },
    empty: `Publisher ${publisher} has no payouts.`,
  });
}

async function show(
  { db, pages }: Work,
  tools: CommandTools,
  payoutId: string,
  options: PublisherOptions & PageOptions,
): Promise<void> {
  const { publisher } = options;
  const batch = await getPayout(db, publisher, payoutId);
  const { batchId, status, currency, groupId, asOf } = batch;
  const of = { publisherId: publisher, batchId };
  const { rows: items, nextCursor } = await listPayoutItems(db, await pages(), of, pageOf(options));
  printList(tools, options, {
    rows: items.map((item) => ({ ...item, currency })),
    nextCursor,
    json: { ...batch, items, nextCursor },
    above: [
      `Payout ${batchId} (${batch.number}) of group ${groupId}: ${status}, ${formatMinorUnits(batch.totalMinor, currency)} ${currency}, as of ${asOf.toISOString()}\n`,
    ],
    columns: {
      REFERENCE: ({ reference }) => reference,
      MEMBER: ({ memberId }) => memberId,
      NAME: ({ name }) => name,
      PLAYER: ({ playerId }) => playerId ?? '-',
      ...sums,
      RESULT: ({ result }) => result ?? '-',
    },
    empty: 'No members yet.',
  });
}

async function markPaid(
  { db, actor, operations }: Work,
  { printDone }: CommandTools,
  payoutId: string,
  { publisher, json }: PublisherOptions,
): Promise<void> {
  const { markPayoutPaid } = await operations();
  await markPayoutPaid(db, actor, { publisherId: publisher, payoutId });
  printDone(
    json ? toJson(await getPayout(db, publisher, payoutId)) : `Payout ${payoutId} is marked as paid.`,
  );
}

async function cancel(
  { db, actor }: Work,
  { printDone }: CommandTools,
  payoutId: string,
  { publisher, reason, json }: ReasonOptions,
): Promise<void> {
  await cancelPayout(db, actor, { publisherId: publisher, payoutId, reason: reason ?? null });
  printDone(
    json
      ? toJson(await getPayout(db, publisher, payoutId))
      : `Payout ${payoutId} is canceled. Another payout can include its rows.`,
  );
}

async function clawBack(
  { db, actor, operations }: Work,
  { printDone }: CommandTools,
  rowId: string,
  { publisher, status, amount, reason, json }: ClawBackOptions,
): Promise<void> {
  const partMinor = amount === undefined ? null : await readPart(db, publisher, { rowId, amount });
  const clawback = { publisherId: publisher, row: rowId, status, reason: reason ?? null, partMinor };
  const { amountMinor, currency } = await (await operations()).clawBack(db, actor, clawback);
  printDone(
    json
      ? toJson({ rowId, status, currency, amountMinor })
      : `${formatMinorUnits(amountMinor, currency)} ${currency} for row ${rowId} will be deducted from the member's next payout.`,
  );
}

/** Reads an amount in the row's currency. */
async function readPart(
  db: Work['db'],
  publisherId: string,
  { rowId, amount }: { rowId: string; amount: string },
): Promise<bigint> {
  const { rows } = await readPaidRows(db, publisherId, rowId);
  const currency = rows.find((row) => row.rowId === rowId.toLowerCase())?.currency;
  // An unknown row is reported by the clawback itself.
  if (currency === undefined) return 1n;
  const isNumber = /^[0-9]{1,16}([.][0-9]{1,8})?$/.test(amount);
  const minor = isNumber ? toMinorUnits(Number(amount), currencyExponent(currency)) : null;
  if (minor === null)
    throw new OperatorError(
      `--amount must be an amount in ${currency} with at most ${currencyExponent(currency)} decimal places, such as ${formatMinorUnits(350n, currency)}.`,
    );
  return minor;
}

type Sums = Pick<
  Payable,
  'currency' | 'rowCount' | 'paymentsMinor' | 'rewardsMinor' | 'adjustmentsMinor' | 'amountMinor'
>;

const sums = {
  ROWS: ({ rowCount }: Sums) => String(rowCount),
  EARNED: ({ paymentsMinor, currency }: Sums) => formatMinorUnits(paymentsMinor, currency),
  REWARDS: ({ rewardsMinor, currency }: Sums) => formatMinorUnits(rewardsMinor, currency),
  'CLAWED BACK': ({ adjustmentsMinor, currency }: Sums) => formatMinorUnits(adjustmentsMinor, currency),
  AMOUNT: ({ amountMinor, currency }: Sums) => formatMinorUnits(amountMinor, currency),
};

const asRequest = ({ publisher, group, currency, asOf, exactly }: RequestOptions): PayoutRequest => ({
  publisherId: publisher,
  groupId: group,
  currency: currency ?? null,
  asOf: asOf === undefined ? null : asTime(asOf),
  isExact: exactly === true,
});
