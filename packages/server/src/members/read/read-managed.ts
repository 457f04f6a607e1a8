import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId, TierId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { versionOf } from '../../platform/version.ts';
import type { MemberStatus } from '../lock-members.ts';
import { stands } from '../standing.ts';
import { type TagOfCreator, tagsOf } from '../tags/tags-of.ts';

export interface ManagedCode {
  /** Code in the member's spelling. */
  code: string;
  scope: 'group' | 'global';
  isPrimary: boolean;
  isGenerated: boolean;
  isManaged: boolean;
  isApproved: boolean;
}

/** Member with everything that its publisher may change. */
export interface ManagedMember {
  membershipId: MembershipId;
  memberId: AccountId;
  name: string;
  logoImage: string | null;
  profileImage: string | null;
  /**
   * True while the publisher owns the account. Otherwise, only the creator may change the account's name,
   * images and global codes.
   */
  isOurs: boolean;
  groupId: string;
  groupName: string;
  playerId: string | null;
  displayName: string | null;
  status: MemberStatus;
  isVisible: boolean;
  tier: { id: TierId; name: string } | null;
  joinedAt: Date;
  removedAt: Date | null;
  removalReason: string | null;
  codes: ManagedCode[];
  /** Tags, by name. Not part of the version, because they are changed one at a time. */
  tags: TagOfCreator[];
  /** Creator's logins. Their ids are null if the publisher doesn't own the account. */
  identities: { provider: string; id: string | null }[];
  /** Version that changes whenever an editable field changes. An edit based on any other version is stale. */
  version: string;
}

export interface MemberToRead {
  publisherId: string;
  memberId: AccountId;
  /** Group; if absent, the default group if the account is a member of it, otherwise the account's first group. */
  groupId?: string | undefined;
}

/**
 * Reads a member for editing. If a creator has claimed the publisher's account, returns the creator's member.
 * @throws Refusal NotFound
 */
export async function readManaged(
  db: Db | Tx,
  { publisherId, memberId, groupId }: MemberToRead,
): Promise<ManagedMember> {
  const { rows } = await sql<MemberRow>`
    select m.membership_id, m.account_id, a.name, a.logo_image, a.profile_image,
           a.owner_publisher_id is not distinct from ${publisherId}::text and a.closed_at is null as is_ours,
           m.group_id, g.name as group_name, m.player_id, m.player_metadata ->> 'displayName' as display_name, m.status,
           m.is_visible, m.tier_id, t.name as tier_name, m.created_at, m.removed_at, m.removal_reason,
           (select coalesce(json_agg(json_build_object(
                     'code', c.code, 'scope', c.scope, 'isPrimary', c.is_primary, 'isGenerated', c.is_generated,
                     'isManaged', c.is_managed, 'isApproved', c.is_approved
                   ) order by c.is_primary desc, c.created_at, c.code, c.scope), '[]')
            from (
              select own.code, 'group' as scope, own.is_primary, own.is_generated, own.is_managed, own.is_approved, own.created_at
              from group_code own
              where own.publisher_id = ${publisherId} and own.membership_id = m.membership_id
              union all
              select code, 'global', is_primary, is_generated, is_managed, is_approved, created_at
              from global_code
              where account_id = m.account_id
            ) c) as codes,
           (select coalesce(json_agg(json_build_object('provider', i.provider, 'id', i.provider_account_id)
                                     order by i.provider, i.provider_account_id), '[]')
            from creator_identity i
            where i.account_id = m.account_id) as identities,
           ${tagsOf(publisherId)} as tags
    from membership m
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    left join tier t on t.publisher_id = ${publisherId} and t.tier_id = m.tier_id
    where m.publisher_id = ${publisherId} and ${stands('m')}
      and m.account_id in (
        ${memberId},
        (select claimed.claimed_by
         from creator_account claimed
         where claimed.account_id = ${memberId} and claimed.owner_publisher_id = ${publisherId}))
      ${groupId === undefined ? sql`` : sql`and m.group_id = ${groupId}`}
    order by m.account_id = ${memberId} desc, g.is_default desc, m.group_id
    limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined)
    throw new Refusal(
      'NotFound',
      `Creator ${memberId} doesn't exist${groupId === undefined ? '' : ` in group ${groupId}`}.`,
    );
  return toManaged(row);
}

interface MemberRow {
  membership_id: MembershipId;
  account_id: AccountId;
  name: string;
  logo_image: string | null;
  profile_image: string | null;
  is_ours: boolean;
  group_id: string;
  group_name: string;
  player_id: string | null;
  display_name: string | null;
  status: MemberStatus;
  is_visible: boolean;
  tier_id: TierId | null;
  tier_name: string | null;
  created_at: Date;
  removed_at: Date | null;
  removal_reason: string | null;
  codes: ManagedCode[];
  identities: { provider: string; id: string }[];
  tags: TagOfCreator[];
}

function toManaged(row: MemberRow): ManagedMember {
  const facts = {
    memberId: row.account_id,
    name: row.name,
    logoImage: row.logo_image,
    profileImage: row.profile_image,
    isOurs: row.is_ours,
    groupId: row.group_id,
    playerId: row.player_id,
    displayName: row.display_name,
    status: row.status,
    isVisible: row.is_visible,
    tier: row.tier_id === null ? null : { id: row.tier_id, name: row.tier_name ?? '' },
    removalReason: row.removal_reason,
    codes: row.codes,
    identities: row.identities.map(({ provider, id }) => ({ provider, id: row.is_ours ? id : null })),
  };
  return {
    ...facts,
    membershipId: row.membership_id,
    groupName: row.group_name,
    tags: row.tags,
    joinedAt: row.created_at,
    removedAt: row.removed_at,
    version: versionOf(facts),
  };
}
