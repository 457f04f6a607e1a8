import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../platform/database/tables.generated.ts';
import { settlingTime } from '../settlement/settlement-lock.ts';

/** What else goes along when one membership merges into another, for bounties, which come later than linking. */
export type MergeProgress = (
  tx: Tx,
  publisherId: string,
  fromMembershipId: MembershipId,
  intoMembershipId: MembershipId,
) => Promise<void>;

interface Membership {
  membership_id: MembershipId;
  group_id: string;
  account_id: AccountId;
  player_id: string | null;
  status: 'Approved' | 'Pending' | 'Removed';
  is_visible: boolean;
}

/**
 * Gives everything of an unclaimed account to the account that claims it: memberships, codes and sign-in
 * identities. Where the claimer has a membership of the group, the claimed one merges into it; history and money
 * stay where they are and are found from there (docs/adr/0012-merged-memberships.md). The caller is changing the
 * publisher's programme and has locked both accounts.
 * @returns `joined`: the memberships by which the claimer became an Approved member of a group; `isGlobal`: whether
 *   it has another code now that is good everywhere
 */
export async function claimAccount(
  tx: Tx,
  mergeProgress: MergeProgress,
  publisherId: string,
  unclaimedId: AccountId,
  accountId: AccountId,
  now: Date,
): Promise<{ joined: MembershipId[]; isGlobal: boolean }> {
  const memberships = await lockMemberships(tx, publisherId, unclaimedId, accountId);
  const keepsPrimaries = !(await hasGlobalPrimary(tx, accountId));
  const joined: MembershipId[] = [];
  for (const claimed of memberships.filter((each) => each.account_id === unclaimedId)) {
    const own = memberships.find(
      (each) => each.account_id === accountId && each.group_id === claimed.group_id,
    );
    const survivingId = own?.membership_id ?? claimed.membership_id;
    if (own === undefined) await moveMembership(tx, publisherId, claimed, accountId);
    else {
      await mergeMembership(tx, publisherId, claimed, own);
      await mergeProgress(tx, publisherId, claimed.membership_id, own.membership_id);
    }
    await takeGroupCodes(tx, publisherId, claimed.membership_id, survivingId, keepsPrimaries);
    if (claimed.status === 'Approved' && own?.status !== 'Approved') joined.push(survivingId);
  }
  const isGlobal = await takeAccount(tx, unclaimedId, accountId, keepsPrimaries);
  await closeAccount(tx, unclaimedId, accountId, now);
  return { joined, isGlobal };
}

/** All memberships of both accounts, and those merged into the claimed ones before, by id as everywhere. */
async function lockMemberships(
  tx: Tx,
  publisherId: string,
  unclaimedId: AccountId,
  accountId: AccountId,
): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select membership_id, group_id, account_id, player_id, status, is_visible
    from membership
    where publisher_id = ${publisherId}
      and membership_id = any(array(
        select m.membership_id
        from membership m
        where m.publisher_id = ${publisherId} and m.account_id in (${unclaimedId}, ${accountId})
        union
        select f.membership_id
        from membership m
        join membership f on f.publisher_id = ${publisherId} and f.merged_into = m.membership_id
        where m.publisher_id = ${publisherId} and m.account_id = ${unclaimedId}
      ))
    order by membership_id
    for update`.execute(tx);
  return rows;
}

async function moveMembership(
  tx: Tx,
  publisherId: string,
  { membership_id }: Membership,
  accountId: AccountId,
): Promise<void> {
  await tx
    .updateTable('membership')
    .set({ account_id: accountId })
    .where('publisher_id', '=', publisherId)
    .where('membership_id', '=', membership_id)
    .execute();
}

/**
 * Makes the claimed membership point at the claimer's own, which keeps what it has and takes what it lacks. One
 * that was Removed comes back as the claimed one was.
 */
async function mergeMembership(
  tx: Tx,
  publisherId: string,
  claimed: Membership,
  own: Membership,
): Promise<void> {
  // First, for its player id must be free. Memberships that were merged into it are pointed on: one step, always.
  await sql`
    update membership
    set status = 'Removed',
        merged_into = ${own.membership_id}::uuid,
        merged_at = case when membership_id = ${claimed.membership_id}::uuid then ${settlingTime} else merged_at end,
        pointed_on_at = case when membership_id = ${claimed.membership_id}::uuid then pointed_on_at else ${settlingTime} end,
        removed_at = coalesce(removed_at, date_trunc('milliseconds', now())),
        removal_reason = coalesce(removal_reason, 'Claimed by a creator')
    where publisher_id = ${publisherId}
      and (membership_id = ${claimed.membership_id}::uuid or merged_into = ${claimed.membership_id}::uuid)`.execute(
    tx,
  );
  const comesBack = own.status === 'Removed' && claimed.status !== 'Removed';
  // The player id of a membership that was Removed before may be somebody else's by now.
  const playerId = claimed.status === 'Removed' ? null : claimed.player_id;
  const status = [own.status, claimed.status].includes('Approved')
    ? 'Approved'
    : comesBack
      ? claimed.status
      : own.status;
  if (comesBack && own.player_id !== null) await keepFormerPlayer(tx, publisherId, own, own.player_id);
  await sql`
    update membership own
    set status = ${status},
        removed_at = case when ${status} = 'Removed' then own.removed_at end,
        removal_reason = case when ${status} = 'Removed' then own.removal_reason end,
        player_id = ${comesBack ? playerId : (own.player_id ?? playerId)},
        player_metadata = ${
          comesBack
            ? sql`coalesce(claimed.player_metadata, own.player_metadata)`
            : sql`coalesce(own.player_metadata, claimed.player_metadata)`
        },
        is_visible = ${comesBack ? claimed.is_visible : own.is_visible},
        tier_id = coalesce(own.tier_id, claimed.tier_id)
    from membership claimed
    where own.publisher_id = ${publisherId} and own.membership_id = ${own.membership_id}::uuid
      and claimed.publisher_id = ${publisherId} and claimed.membership_id = ${claimed.membership_id}::uuid`.execute(
    tx,
  );
}

/** Its own player id may be another member's by now; what it had then is found by it all the same. */
async function keepFormerPlayer(
  tx: Tx,
  publisherId: string,
  { group_id, membership_id }: Membership,
  playerId: string,
): Promise<void> {
  await tx
    .insertInto('former_player')
    .values({ publisher_id: publisherId, group_id, player_id: playerId, membership_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Accounts that it had claimed itself are said to be claimed by who claims it now: one step, always. */
async function closeAccount(tx: Tx, unclaimedId: AccountId, accountId: AccountId, now: Date): Promise<void> {
  await tx
    .updateTable('creator_account')
    .set({ claimed_by: accountId })
    .where('claimed_by', '=', unclaimedId)
    .execute();
  await tx
    .updateTable('creator_account')
    .set({ closed_at: now, claimed_by: accountId })
    .where('account_id', '=', unclaimedId)
    .execute();
}

async function hasGlobalPrimary(tx: Tx, accountId: AccountId): Promise<boolean> {
  const primary = await tx
    .selectFrom('global_code')
    .select('code')
    .where('account_id', '=', accountId)
    .where('is_primary', '=', true)
    .executeTakeFirst();
  return primary !== undefined;
}

/** The claimer's own primary code stays the primary one; a claimed one stays so where there is none. */
async function takeGroupCodes(
  tx: Tx,
  publisherId: string,
  claimedId: MembershipId,
  survivingId: MembershipId,
  keepsPrimary: boolean,
): Promise<void> {
  await sql`
    update group_code g
    set membership_id = ${survivingId}::uuid,
        is_managed = false,
        is_primary = g.is_primary and ${keepsPrimary} and not exists (
          select
          from group_code o
          where o.publisher_id = ${publisherId} and o.membership_id = ${survivingId}::uuid and o.is_primary
            and o.membership_id <> g.membership_id)
    where g.publisher_id = ${publisherId} and g.membership_id = ${claimedId}::uuid`.execute(tx);
}

/**
 * Global codes and identities are the same at every publisher the claimer is a member at.
 * @returns whether there was such a code
 */
async function takeAccount(
  tx: Tx,
  unclaimedId: AccountId,
  accountId: AccountId,
  keepsPrimary: boolean,
): Promise<boolean> {
  await tx
    .updateTable('creator_identity')
    .set({ account_id: accountId })
    .where('account_id', '=', unclaimedId)
    .execute();
  const codes = await sql`
    update global_code
    set account_id = ${accountId}, is_managed = false, is_primary = is_primary and ${keepsPrimary}
    where account_id = ${unclaimedId}`.execute(tx);
  return (codes.numAffectedRows ?? 0n) > 0n;
}
