import { accountOfPlayer, authCodeSecret, issueOwnAuthCode } from '../linking/issue-auth-code.ts';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { toAccountId } from '../platform/ids.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { findGroup } from '../publishers/find-group.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';

export interface IssueAuthCodeOptions {
  publisher: string;
  member?: string;
  player?: string;
  group?: string;
  json?: boolean;
}

/** Issues an auth code for a member of a publisher, named by its account or by its playerId in a group. */
export async function issueAuthCodeCommand(
  db: Db,
  options: IssueAuthCodeOptions,
  now: Date,
  print: (line: string) => void,
  sealer: Sealer,
): Promise<void> {
  await requirePublisher(db, options.publisher);
  const accountId = await accountNamed(db, options);
  const issued = await issueOwnAuthCode(
    db,
    await authCodeSecret(db, sealer),
    options.publisher,
    accountId,
    now,
  );
  if (issued === null)
    throw new OperatorError(
      `The account ${accountId} is not publisher ${options.publisher}'s alone: its creator gets auth codes, and gives them out.`,
    );
  const { authCode, expiresAt } = issued;
  if (options.json) {
    print(JSON.stringify({ memberId: accountId, authCode, expiresAt }));
    return;
  }
  print(
    `${authCode}\n\nLinks ${accountId} to a player, once, until ${expiresAt.toISOString()}. It is not stored: use it now.`,
  );
}

async function accountNamed(
  db: Db,
  { publisher, member, player, group }: IssueAuthCodeOptions,
): Promise<AccountId> {
  if ((member === undefined) === (player === undefined))
    throw new OperatorError('Give --member or --player.');
  if (member !== undefined) {
    if (group !== undefined) throw new OperatorError('--group goes with --player.');
    return accountOfProgramme(db, publisher, toAccountId(member));
  }
  const groupId = await findGroup(db, publisher, group);
  const accountId = await accountOfPlayer(db, publisher, groupId, player ?? '');
  if (accountId === null)
    throw new OperatorError(
      `Group ${groupId} of publisher ${publisher} has no member with the playerId ${player}.`,
    );
  return accountId;
}

async function accountOfProgramme(db: Db, publisherId: string, accountId: AccountId): Promise<AccountId> {
  const account = await db
    .selectFrom('membership as m')
    .innerJoin('creator_account as a', 'a.account_id', 'm.account_id')
    .select('a.closed_at')
    .where('m.publisher_id', '=', publisherId)
    .where('m.account_id', '=', accountId)
    .executeTakeFirst();
  if (account === undefined) throw new OperatorError(`Publisher ${publisherId} has no member ${accountId}.`);
  if (account.closed_at !== null)
    throw new OperatorError(
      `The account ${accountId} is closed: it became part of another creator's account.`,
    );
  return accountId;
}
