import { type Command, InvalidArgumentError, Option } from 'commander';
import { currencyCodes } from '../platform/currencies.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { asTyped } from '../platform/program-name.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import { cancelPayout } from '../settlement/payouts/cancel-payout.ts';
import { createPayout } from '../settlement/payouts/create/create-payout.ts';
import type { Payable } from '../settlement/payouts/create/payable.ts';
import type { PayoutRequest } from '../settlement/payouts/create/plan-payout.ts';
import { previewPayout } from '../settlement/payouts/create/preview-payout.ts';
import { exportPayout } from '../settlement/payouts/read/export-payout.ts';
import { listPayoutItems } from '../settlement/payouts/read/list-payout-items.ts';
import { listPayouts } from '../settlement/payouts/read/list-payouts.ts';
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
import { printList } from './print/print-list.ts';

interface RequestOptions extends PublisherOptions {
  group: string;
  currency?: string;
  asOf?: string;
}

interface ReasonOptions extends PublisherOptions {
  reason?: string;
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
  requested(add('create', 'Create a payout, one batch per currency.')).action(
    withPayouts(tools, (work, options: RequestOptions) => create(work, tools, options)),
  );
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
  add('export', 'Write a payout as CSV to standard output.')
    .argument('<payoutId>')
    .action(
      withPayouts(tools, ({ db }, payoutId: string, { publisher }: PublisherOptions) =>
        exportPayout(db, publisher, payoutId, tools.dataOutput),
      ),
    );
  add('mark-paid', "Record that a payout's money has been sent.")
    .argument('<payoutId>')
    .addOption(jsonOption())
    .action(
      withPayouts(tools, (work, payoutId: string, options: PublisherOptions) =>
        markPaid(work, tools, payoutId, options),
      ),
    );
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
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(
      withPayouts(tools, (work, rowId: string, options: ReasonOptions & { status: Reversal }) =>
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
  const only = currency === undefined ? '' : ` --currency ${currency}`;
  const creating = `${asTyped('payouts create')} --publisher ${publisher} --group ${group}${only} --as-of ${asOf.toISOString()}`;
  printList(tools, options, {
    rows: payables,
    json: { asOf, payables },
    columns: {
      MEMBER: ({ memberId }) => memberId,
      NAME: ({ name }) => name,
      CURRENCY: ({ currency }) => currency,
      ...sums,
      '': ({ isDue, minimumMinor, currency }) =>
        isDue ? 'due' : `below the minimum (${formatMinorUnits(minimumMinor, currency)})`,
    },
    empty: 'No member has unpaid earnings past their hold.',
    below: payables.some(({ isDue }) => isDue) ? [`\nTo pay exactly this: ${creating}`] : [],
  });
}

async function create(
  { db, actor }: Work,
  { printDone }: CommandTools,
  options: RequestOptions,
): Promise<void> {
  const batches = await createPayout(db, actor, asRequest(options));
  if (options.json) {
    printDone(toJson({ batches }));
    return;
  }
  if (batches.length === 0) printDone('Nothing is due: no payout was created.');
  for (const { batchId, currency, totalMinor, memberCount, rowCount, isNew } of batches)
    printDone(
      `Payout ${batchId}: ${formatMinorUnits(totalMinor, currency)} ${currency} to ${memberCount} member(s) for ${rowCount} row(s)${isNew ? '' : ', created earlier'}.`,
    );
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
      `Payout ${batchId} of group ${groupId}: ${status}, ${formatMinorUnits(batch.totalMinor, currency)} ${currency}, as of ${asOf.toISOString()}\n`,
    ],
    columns: {
      MEMBER: ({ memberId }) => memberId,
      NAME: ({ name }) => name,
      PLAYER: ({ playerId }) => playerId ?? '-',
      ...sums,
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
  { publisher, status, reason, json }: ReasonOptions & { status: Reversal },
): Promise<void> {
  const clawback = { publisherId: publisher, row: rowId, status, reason: reason ?? null };
  const { amountMinor, currency } = await (await operations()).clawBack(db, actor, clawback);
  printDone(
    json
      ? toJson({ rowId, status, currency, amountMinor })
      : `${formatMinorUnits(amountMinor, currency)} ${currency} for row ${rowId} will be deducted from the member's next payout.`,
  );
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

const asRequest = ({ publisher, group, currency, asOf }: RequestOptions): PayoutRequest => ({
  publisherId: publisher,
  groupId: group,
  currency: currency ?? null,
  asOf: asOf === undefined ? null : asTime(asOf),
});

function asTime(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new OperatorError('--as-of must be a timestamp, as printed by the preview.');
  return new Date(ms);
}

function currencyCode(text: string): string {
  const code = text.toUpperCase();
  if (!currencyCodes.includes(code))
    throw new InvalidArgumentError('It must be the code of a supported currency, such as USD.');
  return code;
}
