import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import type { MemberStatus } from '../lock-members.ts';
import { tagsOf } from '../tags/tags-of.ts';
import { matchingMembers, type StatusFilter } from './list-by-status.ts';
import { codesOf } from './member-record.ts';

/** Member with everything that an import reads. */
export interface MemberForFile {
  memberId: AccountId;
  groupId: string;
  name: string;
  codes: { code: string }[];
  playerId: string | null;
  displayName: string | null;
  tier: string | null;
  status: MemberStatus;
  isVisible: boolean;
  logoImage: string | null;
  profileImage: string | null;
  /** Logins at providers; empty if the account is the creator's own. */
  identities: { provider: string; id: string }[];
  tags: { name: string }[];
  joinedAt: Date;
  removedAt: Date | null;
  removalReason: string | null;
}

interface FileFilter extends StatusFilter {
  /** Only these members; absent for all. */
  chosen?: readonly ChosenMember[] | undefined;
}

export interface ChosenMember {
  groupId: string;
  memberId: AccountId;
}

/**
 * Returns one page of the members of a file, in the order of `listByStatus`.
 * @throws Refusal InvalidInput for an id of a tier or tag that isn't one; InvalidCursor
 */
export async function listForFile(
  db: Db,
  pages: Pages,
  filter: FileFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<MemberForFile>> {
  const { publisherId, chosen } = filter;
  const listing = ['members-for-file', filter];
  const [before = null] = pages.after(listing, cursor) ?? [];
  const matches = await matchingMembers(db, filter);
  const { rows } = await sql<MemberForFile & { membershipId: MembershipId }>`
    select m.membership_id as "membershipId", m.account_id as "memberId", m.group_id as "groupId", a.name,
           ${codesOf(publisherId)} as codes, m.player_id as "playerId", m.player_metadata ->> 'displayName' as "displayName",
           t.name as tier, m.status, m.is_visible as "isVisible", a.logo_image as "logoImage",
           a.profile_image as "profileImage",
           (select coalesce(
              json_agg(json_build_object('provider', i.provider, 'id', i.provider_account_id)
                       order by i.provider, i.provider_account_id),
              '[]')
            from creator_identity i
            where i.account_id = a.account_id and a.owner_publisher_id = ${publisherId}) as identities,
           ${tagsOf(publisherId)} as tags, m.created_at as "joinedAt", m.removed_at as "removedAt",
           m.removal_reason as "removalReason"
    from membership m
    join creator_account a on a.account_id = m.account_id
    left join tier t on t.publisher_id = ${publisherId} and t.tier_id = m.tier_id
    where m.publisher_id = ${publisherId} and ${matches}
      ${
        chosen === undefined
          ? sql``
          : sql`and (m.group_id, m.account_id) in (
              select * from unnest(${chosen.map(({ groupId }) => groupId)}::text[],
                                   ${chosen.map(({ memberId }) => memberId)}::text[]))`
      }
      ${before === null ? sql`` : sql`and m.membership_id < ${before}::uuid`}
    order by m.membership_id desc
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, ({ membershipId }) => [membershipId]);
  return { rows: page.rows.map(({ membershipId: _, ...row }) => row), nextCursor: page.nextCursor };
}
