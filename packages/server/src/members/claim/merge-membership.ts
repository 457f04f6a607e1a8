import { sql } from 'kysely';
import { readMoment } from '../../platform/database/moment.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { MemberStatus } from '../lock-members.ts';

export interface ClaimedMembership {
  membership_id: MembershipId;
  group_id: string;
  account_id: AccountId;
  player_id: string | null;
  status: MemberStatus;
  is_visible: boolean;
}

/**
 * Points the claimed membership to the claimer's membership. The claimer's membership keeps its own values and only
 * takes over missing ones. If it was Removed, it takes over the claimed membership's status and values.
 */
export async function mergeMembership(
  tx: ProgramTx,
  publisherId: string,
  claimed: ClaimedMembership,
  own: ClaimedMembership,
): Promise<void> {
  const mergedAt = await readMoment(tx);
  // Runs first, because the player id must be free. Memberships that were merged into the claimed membership now point
  // to the claimer's.
  await sql`
    update membership
    set status = 'Removed',
        merged_into = ${own.membership_id}::uuid,
        merged_at = case when membership_id = ${claimed.membership_id}::uuid then ${mergedAt} else merged_at end,
        pointed_on_at = case when membership_id = ${claimed.membership_id}::uuid then pointed_on_at else ${mergedAt} end,
        removed_at = coalesce(removed_at, ${mergedAt}),
        removal_reason = coalesce(removal_reason, 'Claimed by a creator')
    where publisher_id = ${publisherId}
      and (membership_id = ${claimed.membership_id}::uuid or merged_into = ${claimed.membership_id}::uuid)`.execute(
    tx,
  );
  const comesBack = own.status === 'Removed' && claimed.status !== 'Removed';
  // If a membership was already Removed, another member may now have its player id.
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

/**
 * Stores a former player id, so that the member's history can still be found by it, even if another member has it now.
 */
async function keepFormerPlayer(
  tx: ProgramTx,
  publisherId: string,
  { group_id, membership_id }: ClaimedMembership,
  playerId: string,
): Promise<void> {
  await tx
    .insertInto('former_player')
    .values({ publisher_id: publisherId, group_id, player_id: playerId, membership_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
