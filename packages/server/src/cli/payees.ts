import type { Command } from 'commander';
import { requireCreator } from '../members/read/require-creator.ts';
import { endMethod } from '../payees/end-method.ts';
import { listMethods, type PayeeMethod, readMethodsOf } from '../payees/read-methods.ts';
import { toAccountId } from '../platform/ids.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
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
import { printList } from './print/print-list.ts';

interface ListOptions extends PublisherOptions, PageOptions {
  member?: string;
  waiting?: boolean;
}

const maxListed = 1_000;

/** Adds the commands for payout methods. Only people on the dashboard may enter, approve or reveal one. */
export function addPayeeCommands(program: Command, tools: CommandTools): void {
  const payees = program
    .command('payees')
    .description('List and end payout methods. Addresses and accounts are never shown.');
  const add = (name: string, description: string): Command =>
    payees.command(name).description(description).addOption(publisherOption());
  add('list', 'List payout methods, newest first.')
    .option('--member <id>', "account id of a creator: all of the creator's methods, including ended ones")
    .option('--waiting', 'only methods that are waiting for a second person')
    .addOption(limitOption(maxListed, 100))
    .addOption(cursorOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: ListOptions) => list(work, tools, options)));
  add('end', 'End a payout method. Existing payouts keep it.')
    .argument('<methodId>')
    .requiredOption('--reason <text>', 'reason, 1 to 500 characters')
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, methodId: string, options: PublisherOptions & { reason: string }) =>
        end(work, tools, methodId, options),
      ),
    );
}

async function list({ db, pages }: Work, tools: CommandTools, options: ListOptions): Promise<void> {
  const { publisher: publisherId, member, waiting: isWaiting = false } = options;
  await requirePublisher(db, publisherId);
  const { rows, nextCursor } =
    member === undefined
      ? await listMethods(db, await pages(), { publisherId, isWaiting }, pageOf(options))
      : { rows: await ofCreator({ db }, publisherId, member, isWaiting), nextCursor: null };
  printList(tools, options, {
    rows,
    json: { methods: rows, nextCursor },
    columns: {
      METHOD: ({ methodId }) => methodId,
      CREATOR: ({ memberId }) => memberId,
      KIND: ({ kind }) => kind,
      HINT: ({ hint }) => hint,
      STATE: ({ state }) => state,
      'USABLE FROM': ({ usableFrom }) => usableFrom?.toISOString() ?? '-',
      'SHARED WITH': ({ sharedWith }) => sharedWith.map(({ memberId }) => memberId).join(', ') || '-',
    },
    empty: `No payout methods${isWaiting ? ' are waiting for a second person' : ''}.`,
    nextCursor,
  });
}

async function ofCreator(
  { db }: Pick<Work, 'db'>,
  publisherId: string,
  member: string,
  isWaiting: boolean,
): Promise<PayeeMethod[]> {
  const { accountId } = await requireCreator(db, { publisherId, memberId: toAccountId(member) });
  const methods = await readMethodsOf(db, publisherId, accountId);
  return isWaiting ? methods.filter(({ state }) => state === 'Waiting') : methods;
}

async function end(
  { db, actor }: Work,
  { printDone }: CommandTools,
  methodId: string,
  { publisher, reason, json }: PublisherOptions & { reason: string },
): Promise<void> {
  await requirePublisher(db, publisher);
  const ended = await endMethod(db, actor, { publisherId: publisher, methodId, reason });
  printDone(json ? toJson(ended) : `The payout method ${ended.hint} of ${ended.memberId} has ended.`);
}
