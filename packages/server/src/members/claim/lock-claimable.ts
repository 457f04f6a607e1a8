import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';

/** Locks an account. @returns false if the account is closed because another account has claimed it */
export async function lockOpenAccount(tx: Tx, accountId: AccountId): Promise<boolean> {
  const account = await tx
    .selectFrom('creator_account')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account !== undefined;
}

interface PlayerToTake {
  publisherId: string;
  groupId: string;
  playerId: string;
  /** Account of the creator to link to the player. */
  accountId: AccountId;
}

/**
 * Finds and locks the account that can be claimed with a player id. It must have been created by this publisher and be
 * a member only here. All of its codes must be managed, and at least one must be global or in this group. If a person
 * sees the account in the portal, only another account of the same person can claim it.
 * @returns null if the player id is free or belongs to the account itself
 * @throws Refusal PlayerAlreadyLinked if the player id belongs to any other member
 */
export async function lockClaimable(
  tx: ProgramTx,
  { publisherId, groupId, playerId, accountId }: PlayerToTake,
): Promise<AccountId | null> {
  const current = await tx
    .selectFrom('membership')
    .select(['membership_id', 'account_id'])
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('player_id', '=', playerId)
    .where('status', '<>', 'Removed')
    .executeTakeFirst();
  if (current === undefined || current.account_id === accountId) return null;
  const taken = new Refusal('PlayerAlreadyLinked', 'The playerId is linked to another member of this group.');
  // Take the lock in a separate statement, so that the next one sees changes committed during the wait, such as another
  // publisher's link of the same account.
  if (!(await lockOpenAccount(tx, current.account_id))) throw taken;
  const { rows } = await sql`
    with code as (
      select is_managed, true as is_here from global_code where account_id = ${current.account_id}
      union all
      select g.is_managed, g.membership_id = ${current.membership_id}::uuid
      from membership m
      join group_code g on g.publisher_id = ${publisherId} and g.membership_id = m.membership_id
      where m.publisher_id = ${publisherId} and m.account_id = ${current.account_id}
    )
    select 1
    from creator_account a
    where a.account_id = ${current.account_id} and a.owner_publisher_id = ${publisherId}
      and (select bool_and(is_managed) and bool_or(is_here) from code)
      and not exists (
        select 1
        from portal_user_account seen
        where seen.account_id = ${current.account_id}
          and seen.user_id not in (select own.user_id from portal_user_account own where own.account_id = ${accountId}))`.execute(
    tx,
  );
  if (rows.length === 0 || (await isMemberElsewhere(tx, publisherId, current.account_id))) throw taken;
  return current.account_id;
}

/**
 * Returns whether the account is a member of another publisher's groups. Runs as a separate statement because it reads
 * the data of all publishers.
 */
async function isMemberElsewhere(tx: ProgramTx, publisherId: string, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from membership where account_id = ${accountId} and publisher_id <> ${publisherId} limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}
