import { type Command, Option } from 'commander';
import { toAccountId } from '../platform/ids.ts';
import { formatMinorUnits } from '../platform/money.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import { holdCreator } from '../settlement/holds/hold-creator.ts';
import { findPurchaseOfRow, holdPurchase } from '../settlement/holds/hold-purchase.ts';
import { listHolds } from '../settlement/holds/list-holds.ts';
import type { Hold } from '../settlement/holds/read-holds.ts';
import { releaseHold } from '../settlement/holds/release-hold.ts';
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

interface PlaceOptions extends PublisherOptions {
  row?: string;
  transaction?: string;
  member?: string;
  group?: string;
  reason: string;
  until?: Date;
}

interface ListOptions extends PublisherOptions, PageOptions {
  group?: string;
  member?: string;
}

const maxListed = 1_000;

export function addHoldCommands(program: Command, tools: CommandTools): void {
  const holds = program.command('holds').description('Keep payments out of payouts, and release them.');
  const add = (name: string, description: string): Command =>
    holds.command(name).description(description).addOption(publisherOption());
  add('place', 'Keep a row, a purchase or a creator out of payouts.')
    .option('--row <id>', 'id of the row (the id of its attribution record)')
    .option('--transaction <id>', 'transactionId of a purchase: all rows that can be held')
    .option('--member <id>', 'account id of a creator: holds everything due to the creator')
    .option('--group <id>', 'with --member: only payouts of this group')
    .requiredOption('--reason <text>', 'reason, 1 to 500 characters')
    .addOption(
      new Option('--until <timestamp>', 'time at which the hold ends automatically').argParser(
        timestampArgument,
      ),
    )
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: PlaceOptions) => place(work, tools, options)));
  add('release', 'Release a hold. The next payout includes the held amounts.')
    .argument('<holdId>')
    .requiredOption('--reason <text>', 'reason, 1 to 500 characters')
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, holdId: string, options: PublisherOptions & { reason: string }) =>
        release(work, tools, holdId, options),
      ),
    );
  add('list', 'List open holds, newest first.')
    .option('--group <id>', 'only holds that affect payouts of this group')
    .option('--member <id>', 'only holds on this creator, and on rows that credit the creator')
    .addOption(limitOption(maxListed, 100))
    .addOption(cursorOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: ListOptions) => list(work, tools, options)));
}

async function place({ db, actor }: Work, { printDone }: CommandTools, options: PlaceOptions): Promise<void> {
  const { publisher: publisherId, row, transaction, member, group, reason, until = null } = options;
  if ([row, transaction, member].filter((each) => each !== undefined).length !== 1)
    throw new OperatorError('Specify exactly one of --row, --transaction and --member.');
  if (group !== undefined && member === undefined)
    throw new OperatorError('--group is only for --member. A row belongs to one group.');
  await requirePublisher(db, publisherId);
  const terms = { publisherId, reason, endsAt: until };
  const placed =
    member === undefined
      ? await holdPurchase(db, actor, {
          ...terms,
          transactionId: transaction ?? (await findPurchaseOfRow(db, publisherId, row ?? '')),
          rows: row === undefined ? null : [row],
        })
      : [await holdCreator(db, actor, { ...terms, memberId: toAccountId(member), groupId: group ?? null })];
  printDone(
    options.json
      ? toJson({ holds: placed })
      : placed.map((hold) => `Hold ${hold.holdId}: ${subjectOf(hold)} is kept out of payouts.`).join('\n'),
  );
}

async function release(
  { db, actor }: Work,
  { printDone }: CommandTools,
  holdId: string,
  { publisher, reason, json }: PublisherOptions & { reason: string },
): Promise<void> {
  await requirePublisher(db, publisher);
  const released = await releaseHold(db, actor, { publisherId: publisher, holdId, reason });
  printDone(
    json
      ? toJson(released)
      : `Hold ${holdId} is released. The next payout can include ${subjectOf(released)}.`,
  );
}

async function list({ db, pages }: Work, tools: CommandTools, options: ListOptions): Promise<void> {
  const { publisher: publisherId, group: groupId = null, member } = options;
  await requirePublisher(db, publisherId);
  const memberId = member === undefined ? null : toAccountId(member);
  const filter = { publisherId, groupId, memberId };
  const { rows: holds, nextCursor } = await listHolds(db, await pages(), filter, pageOf(options));
  printList(tools, options, {
    rows: holds,
    nextCursor,
    json: { holds, nextCursor },
    columns: {
      HOLD: ({ holdId }) => holdId,
      CREATOR: ({ memberId }) => memberId,
      GROUP: ({ groupId }) => groupId ?? 'all groups',
      PURCHASE: ({ row }) => row?.transactionId ?? '-',
      AMOUNT: ({ row }) =>
        row === null ? 'all' : `${formatMinorUnits(row.amountMinor, row.currency)} ${row.currency}`,
      PLACED: ({ placedAt }) => placedAt.toISOString(),
      ENDS: ({ endsAt }) => endsAt?.toISOString() ?? '-',
      REASON: ({ reason }) => reason,
    },
    empty: `Publisher ${publisherId} has no open holds.`,
  });
}

const subjectOf = ({ row, memberId, groupId }: Hold): string =>
  row !== null
    ? `row ${row.rowId} (${formatMinorUnits(row.amountMinor, row.currency)} ${row.currency})`
    : `${memberId}${groupId === null ? '' : ` in group ${groupId}`}`;
