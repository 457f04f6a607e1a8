import { sql } from 'kysely';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { endApplication } from '../applications/decide-application.ts';
import { announceNewMember } from '../change/announce-member.ts';
import { lockToMove } from '../lock-members.ts';
import { publishersOf } from '../read/publishers-of.ts';
import { mergedInto } from '../standing.ts';
import { type ClaimedMembership, mergeMembership } from './merge-membership.ts';
import { moveNotesAndTags } from './move-notes-and-tags.ts';

/** Merges memberships' bounty progress. This is a parameter because the bounties slice depends on this one. */
export type MergeProgress = (
  tx: ProgramTx,
  publisherId: string,
  fromMembershipId: MembershipId,
  intoMembershipId: MembershipId,
) => Promise<void>;

export interface Claim {
  publisherId: string;
  unclaimedId: AccountId;
  /** Account of the claiming creator. */
  accountId: AccountId;
  now: Date;
}

/**
 * Moves an unclaimed account's memberships, codes, sign-in identities, notes and tags to the account that claims it. If
 * the claimer has a membership in the same group, the claimed membership is merged into it. Historical and financial
 * rows don't move; they are found through the merge pointer (docs/adr/0012-merged-memberships.md). Publishes an event
 * for each group in which the claimer becomes Approved. The caller must have locked both accounts (`lockClaimable`) and
 * posting.
 */
export async function claimAccount(
  tx: ProgramTx,
  mergeProgress: MergeProgress,
  { publisherId, unclaimedId, accountId, now }: Claim,
): Promise<void> {
  const memberships = await lockMembershipsOf(tx, publisherId, unclaimedId, accountId);
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
    await takeGroupCodes(tx, publisherId, { claimedId: claimed.membership_id, survivingId, keepsPrimaries });
    if (claimed.status === 'Approved' && own?.status !== 'Approved') joined.push(survivingId);
  }
  const isGlobal = await takeAccount(tx, unclaimedId, accountId, keepsPrimaries);
  await moveNotesAndTags(tx, publisherId, unclaimedId, accountId);
  await closeAccount(tx, unclaimedId, accountId, now);
  for (const membershipId of joined) {
    // The claimer had applied, and is a member now.
    await endApplication(tx, {
      publisherId,
      membershipId,
      decision: 'Approved',
      reason: null,
      decidedAt: now,
    });
    await announceNewMember(tx, publisherId, membershipId);
  }
  programChanged(tx, publisherId);
  // The claimer's new global codes are valid at every publisher that the claimer is a member of.
  if (isGlobal) for (const each of await publishersOf(tx, [accountId])) programChanged(tx, each);
}

/** Locks all memberships of both accounts, and those that were merged into the claimed memberships earlier. */
async function lockMembershipsOf(
  tx: ProgramTx,
  publisherId: string,
  unclaimedId: AccountId,
  accountId: AccountId,
): Promise<ClaimedMembership[]> {
  const ids = sql`
    select m.membership_id
    from membership m
    where m.publisher_id = ${publisherId} and m.account_id in (${unclaimedId}, ${accountId})
    union
    select merged.membership_id
    from membership m
    join membership merged on merged.publisher_id = ${publisherId} and ${mergedInto('merged')} = m.membership_id
    where m.publisher_id = ${publisherId} and m.account_id = ${unclaimedId}`;
  await lockToMove(tx, publisherId, ids);
  const { rows } = await sql<ClaimedMembership>`
    select membership_id, group_id, account_id, player_id, status, is_visible
    from membership
    where publisher_id = ${publisherId} and account_id in (${unclaimedId}, ${accountId})
    order by membership_id`.execute(tx);
  return rows;
}

async function moveMembership(
  tx: ProgramTx,
  publisherId: string,
  { membership_id }: ClaimedMembership,
  accountId: AccountId,
): Promise<void> {
  await tx
    .updateTable('membership')
    .set({ account_id: accountId })
    .where('publisher_id', '=', publisherId)
    .where('membership_id', '=', membership_id)
    .execute();
}

async function hasGlobalPrimary(tx: ProgramTx, accountId: AccountId): Promise<boolean> {
  const primary = await tx
    .selectFrom('global_code')
    .select('code')
    .where('account_id', '=', accountId)
    .where('is_primary', '=', true)
    .executeTakeFirst();
  return primary !== undefined;
}

interface TakenCodes {
  claimedId: MembershipId;
  survivingId: MembershipId;
  keepsPrimaries: boolean;
}

/**
 * Moves group codes to the surviving membership. A claimed primary code stays primary only if the claimer doesn't have
 * one.
 */
async function takeGroupCodes(
  tx: ProgramTx,
  publisherId: string,
  { claimedId, survivingId, keepsPrimaries }: TakenCodes,
): Promise<void> {
  await sql`
    update group_code g
    set membership_id = ${survivingId}::uuid,
        is_managed = false,
        is_primary = g.is_primary and ${keepsPrimaries} and not exists (
          select 1
          from group_code other
          where other.publisher_id = ${publisherId} and other.membership_id = ${survivingId}::uuid and other.is_primary
            and other.membership_id <> g.membership_id)
    where g.publisher_id = ${publisherId} and g.membership_id = ${claimedId}::uuid`.execute(tx);
}

/**
 * Moves global codes and identities to the claimer, for every publisher.
 * @returns whether the account had a global code
 */
async function takeAccount(
  tx: ProgramTx,
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

/**
 * Closes the claimed account. Accounts that the closed account had claimed now point directly to the new
 * claimer.
 */
async function closeAccount(
  tx: ProgramTx,
  unclaimedId: AccountId,
  accountId: AccountId,
  now: Date,
): Promise<void> {
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
