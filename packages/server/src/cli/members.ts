import { type Command, Option } from 'commander';
import { approveMember } from '../members/change/approve-member.ts';
import { removeMember } from '../members/change/remove-member.ts';
import type { MemberStatus } from '../members/lock-members.ts';
import { listGroupMembers } from '../members/read/list-group-members.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { toAccountId } from '../platform/ids.ts';
import { findGroup } from '../publishers/find-group.ts';
import {
  cursorOption,
  type GroupOptions,
  groupOption,
  inDatabase,
  jsonOption,
  limitOption,
  type PageOptions,
  pageOf,
  publisherOption,
  type Work,
} from './command.ts';
import type { CommandTools } from './command-tools.ts';
import { addEraseMember } from './erase-members.ts';
import { printList } from './print/print-list.ts';

interface ListOptions extends GroupOptions, PageOptions {
  status?: MemberStatus;
}

export function addMemberCommands(program: Command, tools: CommandTools): void {
  const members = program.command('members').description('List, approve, remove and erase members.');
  members
    .command('list')
    .description('List members of every status, pending ones first.')
    .addOption(publisherOption())
    .addOption(groupOption())
    .addOption(
      new Option('--status <status>', 'only members with this status').choices([
        'Approved',
        'Pending',
        'Removed',
      ]),
    )
    .addOption(limitOption(1_000, 100))
    .addOption(cursorOption())
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: ListOptions) => list(work, tools, options)));
  members
    .command('approve')
    .argument('<memberId>', '', toAccountId)
    .description('Approve a member. New purchases with its codes are credited to it.')
    .addOption(publisherOption())
    .addOption(groupOption())
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, memberId: AccountId, options: GroupOptions) =>
        approve(work, tools, memberId, options),
      ),
    );
  members
    .command('remove')
    .argument('<memberId>', '', toAccountId)
    .description('Remove a member. Its codes stop working, but its earnings are still paid.')
    .addOption(publisherOption())
    .addOption(groupOption())
    .requiredOption('--reason <text>', 'reason, which is sent to the publisher')
    .addOption(jsonOption())
    .action(
      inDatabase(tools, (work, memberId: AccountId, options: GroupOptions & { reason: string }) =>
        remove(work, tools, memberId, options),
      ),
    );
  addEraseMember(members, tools);
}

async function list({ db, pages }: Work, tools: CommandTools, options: ListOptions): Promise<void> {
  const { publisher, group, status } = options;
  const groupId = await findGroup(db, publisher, group);
  const of = { publisherId: publisher, groupId, status };
  const { rows, nextCursor } = await listGroupMembers(db, await pages(), of, pageOf(options));
  printList(tools, options, {
    rows,
    nextCursor,
    json: { members: rows, nextCursor },
    columns: {
      ID: ({ memberId }) => memberId,
      STATUS: ({ status, removalReason }) =>
        removalReason === null ? status : `${status}: ${removalReason}`,
      NAME: ({ name }) => name,
      PLAYER: ({ playerId }) => playerId ?? '-',
      CODES: ({ codes }) => codes.join(', '),
    },
    empty: `Group ${groupId} has no ${status === undefined ? '' : `${status} `}members.`,
  });
}

async function approve(
  { db, actor }: Work,
  tools: CommandTools,
  memberId: AccountId,
  options: GroupOptions,
): Promise<void> {
  const groupId = await findGroup(db, options.publisher, options.group);
  const isChanged = await approveMember(db, actor, { publisherId: options.publisher, groupId, memberId });
  printStatus(tools, options, { memberId, groupId, status: 'Approved', isChanged });
}

async function remove(
  { db, actor }: Work,
  tools: CommandTools,
  memberId: AccountId,
  { reason, ...options }: GroupOptions & { reason: string },
): Promise<void> {
  const groupId = await findGroup(db, options.publisher, options.group);
  const member = { publisherId: options.publisher, groupId, memberId };
  const isChanged = await removeMember(db, actor, { ...member, reason });
  printStatus(tools, options, { memberId, groupId, status: 'Removed', isChanged });
}

interface StatusChange {
  memberId: AccountId;
  groupId: string;
  status: MemberStatus;
  isChanged: boolean;
}

function printStatus(
  { print }: CommandTools,
  { json }: GroupOptions,
  { memberId, groupId, status, isChanged }: StatusChange,
): void {
  if (json) print(JSON.stringify({ memberId, group: groupId, status, changed: isChanged }));
  else print(`${memberId} is ${status} in ${groupId}${isChanged ? '' : ' already'}.`);
}
