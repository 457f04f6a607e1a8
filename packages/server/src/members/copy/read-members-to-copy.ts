import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId, TierId } from '../../platform/database/tables.generated.ts';
import { stands } from '../standing.ts';

/** Code that is valid in a group: a group code, or a global code of the account. */
export interface CodeToCopy {
  code: string;
  folded: string;
  isPrimary: boolean;
  isGenerated: boolean;
  isManaged: boolean;
  isApproved: boolean;
}

export interface MemberToCopy {
  membershipId: MembershipId;
  groupId: string;
  accountId: AccountId;
  name: string;
  logoImage: string | null;
  profileImage: string | null;
  playerId: string | null;
  /** Metadata as JSON. */
  playerMetadata: string | null;
  status: string;
  isVisible: boolean;
  tierId: TierId | null;
  removedAt: Date | null;
  removalReason: string | null;
  /** Codes, group codes first. Excludes global codes that credit another member in the group. */
  codes: CodeToCopy[];
}

const membersAtOnce = 1_000;

/** Reads a publisher's members in pages, in the order in which they joined. Merged memberships count as one member. */
export async function* readMembersToCopy(tx: Tx, publisherId: string): AsyncGenerator<MemberToCopy[]> {
  for (let after: MembershipId | null = null; ; ) {
    const { rows }: { rows: MemberToCopy[] } = await membersQuery(publisherId, after).execute(tx);
    yield rows;
    after = rows.at(-1)?.membershipId ?? null;
    if (rows.length < membersAtOnce) return;
  }
}

const membersQuery = (publisherId: string, after: MembershipId | null) => sql<MemberToCopy>`
  select m.membership_id as "membershipId", m.group_id as "groupId", m.account_id as "accountId", a.name,
         a.logo_image as "logoImage", a.profile_image as "profileImage", m.player_id as "playerId",
         m.player_metadata::text as "playerMetadata", m.status, m.is_visible as "isVisible", m.tier_id as "tierId",
         m.removed_at as "removedAt", m.removal_reason as "removalReason",
         (select coalesce(json_agg(json_build_object(
                   'code', code, 'folded', code_folded, 'isPrimary', is_primary,
                   'isGenerated', is_generated, 'isManaged', is_managed, 'isApproved', is_approved
                 ) order by is_own desc, is_primary desc, code_folded), '[]')
          from (
            select g.code, g.code_folded, true as is_own, g.is_primary, g.is_generated, g.is_managed, g.is_approved
            from group_code g
            where g.publisher_id = ${publisherId} and g.membership_id = m.membership_id
            union all
            select c.code, c.code_folded, false, c.is_primary, c.is_generated, c.is_managed, c.is_approved
            from global_code c
            where c.account_id = m.account_id
              and not exists (
                select 1 from group_code taken
                where taken.publisher_id = ${publisherId} and taken.group_id = m.group_id
                  and taken.code_folded = c.code_folded
              )
          ) code_of) as codes
  from membership m
  join creator_account a on a.account_id = m.account_id
  where m.publisher_id = ${publisherId} and ${stands('m')} and (${after}::uuid is null or m.membership_id > ${after}::uuid)
  order by m.membership_id
  limit ${membersAtOnce}`;
