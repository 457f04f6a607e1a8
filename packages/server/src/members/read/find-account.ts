import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Returns the account of the group's Approved or Pending member with the player id.
 * @throws Refusal PlayerNotInGroup if no such member exists
 */
export async function findAccountOfPlayer(
  db: Db,
  { publisherId, groupId, playerId }: { publisherId: string; groupId: string; playerId: string },
): Promise<AccountId> {
  const member = await db
    .selectFrom('membership')
    .select('account_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('player_id', '=', playerId)
    .where('status', '<>', 'Removed')
    .executeTakeFirst();
  if (member === undefined)
    throw new Refusal(
      'PlayerNotInGroup',
      `Group ${groupId} of publisher ${publisherId} has no member with the playerId ${playerId}.`,
    );
  return member.account_id;
}

/**
 * Requires an account to be a member of one of the publisher's groups, with any status.
 * @throws Refusal NotFound if the account isn't a member; AccountNotFound if another account has claimed it
 */
export async function requireMemberAccount(db: Db, publisherId: string, accountId: AccountId): Promise<void> {
  const account = await db
    .selectFrom('membership as m')
    .innerJoin('creator_account as a', 'a.account_id', 'm.account_id')
    .select(['a.closed_at', 'a.claimed_by'])
    .where('m.publisher_id', '=', publisherId)
    .where('m.account_id', '=', accountId)
    .executeTakeFirst();
  if (account === undefined)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no member ${accountId}.`);
  if (account.closed_at !== null)
    throw new Refusal(
      'AccountNotFound',
      account.claimed_by === null
        ? `Account ${accountId} is closed, because the creator was erased.`
        : `Account ${accountId} is closed. It is now part of another creator's account.`,
    );
}
