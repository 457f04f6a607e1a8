import type { Command } from 'commander';
import { authCodeSecret, issueOwnAuthCode, type NamedMember } from '../linking/issue-auth-code.ts';
import { systemClock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { toAccountId } from '../platform/ids.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { findGroup } from '../publishers/find-group.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import { type GroupOptions, inDatabase, jsonOption, publisherOption, type Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';

interface IssueOptions extends GroupOptions {
  member?: string;
  player?: string;
}

export function addAuthCodeCommands(program: Command, tools: CommandTools): void {
  program
    .command('auth-codes')
    .description('Issue auth codes that creators use to link their accounts to players.')
    .command('issue')
    .description('Issue an auth code for a member and print it once. It is valid for 30 minutes.')
    .addOption(publisherOption())
    .option('--member <id>', "id of the member's account")
    .option('--player <id>', "the member's playerId, instead of --member")
    .option('--group <id>', 'group of the playerId (default: the default group)')
    .addOption(jsonOption())
    .action(inDatabase(tools, (work, options: IssueOptions) => issue(work, tools, options)));
}

async function issue(
  { db, sealer, actor }: Work,
  { print }: CommandTools,
  options: IssueOptions,
): Promise<void> {
  await requirePublisher(db, options.publisher);
  const member = await memberNamed(db, options);
  const issuing = { db, secret: await authCodeSecret(db, sealer), now: systemClock.now() };
  const { accountId, authCode, expiresAt } = await issueOwnAuthCode(issuing, actor, member);
  if (options.json) {
    print(JSON.stringify({ memberId: accountId, authCode, expiresAt }));
    return;
  }
  print(
    `${authCode}\n\nThe code links ${accountId} to a player. It works once, until ${expiresAt.toISOString()}. It is not stored and can't be shown again.`,
  );
}

async function memberNamed(db: Db, { publisher, member, player, group }: IssueOptions): Promise<NamedMember> {
  if (member !== undefined && player === undefined) {
    if (group !== undefined) throw new OperatorError('--group requires --player.');
    return { publisherId: publisher, accountId: toAccountId(member) };
  }
  if (player === undefined || member !== undefined)
    throw new OperatorError('Either --member or --player is required.');
  return { publisherId: publisher, groupId: await findGroup(db, publisher, group), playerId: player };
}
