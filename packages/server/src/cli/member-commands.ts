import { type Command, Option } from 'commander';
import { sql } from 'kysely';
import { codesOf } from '../members/member-record.ts';
import { setMemberStatus } from '../members/set-status.ts';
import { stands } from '../members/standing.ts';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { toAccountId } from '../platform/ids.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { findGroup } from '../publishers/find-group.ts';
import type { CommandTools } from './command-tools.ts';
import { printTable } from './print-table.ts';

type Print = (line: string) => void;

interface MemberOptions {
  publisher: string;
  group?: string;
  json?: boolean;
}

const publisher = (): Option => new Option('--publisher <id>', 'the publisher').makeOptionMandatory();
const group = (): Option => new Option('--group <id>', 'the creator group; the default group when absent');
const json = (): Option => new Option('--json', 'print JSON');

/** members: who is in a group, who joins and who leaves. */
export function addMemberCommands(program: Command, { withDatabase, print }: CommandTools): void {
  const members = program.command('members').description('List, approve and remove the members of a group.');
  members
    .command('list')
    .description('List members of every status, those who wait for approval first.')
    .addOption(publisher())
    .addOption(group())
    .addOption(new Option('--status <status>', 'of this status').choices(['Approved', 'Pending', 'Removed']))
    .addOption(json())
    .action((options: MemberOptions & { status?: string }) =>
      withDatabase((db) => listMembersCommand(db, options, print)),
    );
  members
    .command('approve')
    .argument('<memberId>', '', toAccountId)
    .description('Approve a member: its codes credit from now on.')
    .addOption(publisher())
    .addOption(group())
    .addOption(json())
    .action((memberId: AccountId, options: MemberOptions) =>
      withDatabase((db) => changeCommand(db, options, memberId, 'Approved', 'approved', print)),
    );
  members
    .command('remove')
    .argument('<memberId>', '', toAccountId)
    .description('Remove a member: its codes credit no more; what it has earned is kept and paid.')
    .addOption(publisher())
    .addOption(group())
    .requiredOption('--reason <text>', 'why; the publisher is told')
    .addOption(json())
    .action((memberId: AccountId, options: MemberOptions & { reason: string }) =>
      withDatabase((db) => changeCommand(db, options, memberId, 'Removed', options.reason, print)),
    );
}

async function changeCommand(
  db: Db,
  options: MemberOptions,
  memberId: AccountId,
  status: 'Approved' | 'Removed',
  reason: string,
  print: Print,
): Promise<void> {
  if (reason.length < 1 || reason.length > 255 || reason.includes('\0') || !reason.isWellFormed())
    throw new OperatorError('--reason must have 1 to 255 characters.');
  const groupId = await findGroup(db, options.publisher, options.group);
  const isChanged = await setMemberStatus(db, options.publisher, groupId, memberId, status, reason);
  if (options.json) print(JSON.stringify({ memberId, group: groupId, status, changed: isChanged }));
  else print(`${memberId} is ${status} in ${groupId}${isChanged ? '' : ', as before'}.`);
}

const mostListed = 1_000;

async function listMembersCommand(
  db: Db,
  { publisher, group, status = null, json }: MemberOptions & { status?: string | null },
  print: Print,
): Promise<void> {
  const groupId = await findGroup(db, publisher, group);
  const { rows } = await sql<{
    memberId: string;
    name: string;
    playerId: string | null;
    status: string;
    codes: { code: string }[];
    removalReason: string | null;
  }>`
    select m.account_id as "memberId", a.name, m.player_id as "playerId", m.status, ${codesOf} as codes,
           m.removal_reason as "removalReason"
    from membership m
    join creator_account a on a.account_id = m.account_id
    where m.publisher_id = ${publisher} and m.group_id = ${groupId} and ${stands('m')}
      and (${status}::text is null or m.status = ${status})
    order by array_position(array['Pending', 'Approved', 'Removed'], m.status), m.membership_id
    limit ${mostListed}`.execute(db);
  if (json) {
    print(JSON.stringify(rows.map((row) => ({ ...row, codes: row.codes.map(({ code }) => code) }))));
    return;
  }
  if (rows.length === 0) {
    print(`The group ${groupId} has no ${status === null ? '' : `${status} `}members.`);
    return;
  }
  printTable(
    ['ID', 'STATUS', 'NAME', 'PLAYER', 'CODES'],
    rows.map((row) => [
      row.memberId,
      row.removalReason === null ? row.status : `${row.status}: ${row.removalReason}`,
      row.name,
      row.playerId ?? '-',
      row.codes.map(({ code }) => code).join(', '),
    ]),
    print,
  );
  if (rows.length === mostListed)
    print(`The first ${mostListed} are shown; GET /v1/manage/members pages through all.`);
}
