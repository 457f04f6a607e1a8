import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import type { MemberStatus } from '../lock-members.ts';
import { mergedInto, stands } from '../standing.ts';

/** Publisher's account that a creator has claimed. */
export interface ClaimedMember {
  memberId: AccountId;
  name: string;
  claimedAt: Date;
  /**
   * Player id of the account's merged membership in the group; null if the membership didn't have one or was moved to
   * the creator.
   */
  playerId: string | null;
}

export interface OtherMembership {
  groupId: string;
  groupName: string;
  status: MemberStatus;
}

// Maximum number of claims to show.
const maxShown = 100;

/** Returns a publisher's accounts that creators have claimed, latest first. */
export async function listClaims(
  db: Db,
  publisherId: string,
  { accountId, membershipId }: { accountId: AccountId; membershipId: MembershipId },
): Promise<ClaimedMember[]> {
  const { rows } = await sql<{
    account_id: AccountId;
    name: string;
    closed_at: Date;
    player_id: string | null;
  }>`
    select a.account_id, a.name, a.closed_at, merged.player_id
    from creator_account a
    left join membership merged
      on merged.publisher_id = ${publisherId} and merged.account_id = a.account_id and ${mergedInto('merged')} = ${membershipId}::uuid
    where a.claimed_by = ${accountId} and a.owner_publisher_id = ${publisherId}
    order by a.closed_at desc, a.account_id
    limit ${maxShown}`.execute(db);
  return rows.map((row) => ({
    memberId: row.account_id,
    name: row.name,
    claimedAt: row.closed_at,
    playerId: row.player_id,
  }));
}

/** Returns the publisher's other groups that an account is a member of. */
export async function listOtherGroups(
  db: Db,
  publisherId: string,
  { accountId, groupId }: { accountId: AccountId; groupId: string },
): Promise<OtherMembership[]> {
  const { rows } = await sql<{ group_id: string; name: string; status: MemberStatus }>`
    select m.group_id, g.name, m.status
    from membership m
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    where m.publisher_id = ${publisherId} and m.account_id = ${accountId} and m.group_id <> ${groupId} and ${stands('m')}
    order by m.group_id
    limit ${maxShown}`.execute(db);
  return rows.map(({ group_id: groupId, name: groupName, status }) => ({ groupId, groupName, status }));
}
