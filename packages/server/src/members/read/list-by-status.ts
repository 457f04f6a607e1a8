import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId, TierId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { MemberStatus } from '../lock-members.ts';
import { stands } from '../standing.ts';
import { isTagged, type TagOfCreator, tagsOf } from '../tags/tags-of.ts';
import { codesOf } from './member-record.ts';
import { membersNamed } from './members-named.ts';

export interface ListedMember {
  membershipId: MembershipId;
  memberId: AccountId;
  name: string;
  logoImage: string | null;
  groupId: string;
  groupName: string;
  playerId: string | null;
  status: MemberStatus;
  tier: { id: TierId; name: string } | null;
  /** Codes, primary code first. */
  codes: string[];
  /** Tags, by name. */
  tags: TagOfCreator[];
  joinedAt: Date;
  removedAt: Date | null;
  removalReason: string | null;
  /** Undecided application; null for others, such as creators whom the publisher added as Pending. */
  application: { code: string | null; appliedAt: Date; expiresAt: Date } | null;
}

export interface StatusFilter {
  publisherId: string;
  status: MemberStatus;
  /** Group to list; all groups if absent. */
  groupId?: string | undefined;
  tierId?: string | undefined;
  tagId?: string | undefined;
  /** Prefix of the name or of a code, or a complete id; at least 2 characters. */
  typed?: string | undefined;
}

/** Balances in one currency to sort a list by, highest first. */
export interface BalanceOrder {
  currency: string;
  /** Join of the relation `b` with `membership_id` and `balance_minor`. */
  join: RawBuilder<unknown>;
}

/**
 * Returns one page of a publisher's members with the given status.
 * @param order most recently joined first if null
 * @param size 1 … 1,000
 * @throws Refusal InvalidCursor
 */
export async function listByStatus(
  db: Db,
  pages: Pages,
  filter: StatusFilter,
  { cursor, size, order }: { cursor: string | null; size: number; order: BalanceOrder | null },
): Promise<Page<ListedMember>> {
  const { publisherId, status, groupId, tierId, tagId, typed } = filter;
  const listing = [
    'members-by-status',
    publisherId,
    status,
    groupId ?? null,
    tierId ?? null,
    tagId ?? null,
    typed?.toLowerCase() ?? null,
    ...(order === null ? [] : [order.currency]),
  ];
  const [before = null, balance = '0'] = pages.after(listing, cursor) ?? [];
  const place = order === null ? sql`m.membership_id` : sql`(${balanceOf}, m.membership_id)`;
  const placeBefore = order === null ? sql`${before}::uuid` : sql`(${balance}::numeric, ${before}::uuid)`;
  const matches = await matchingMembers(db, filter);
  const { rows } = await sql<MemberRow>`
    select m.membership_id, m.account_id, a.name, a.logo_image, m.group_id, g.name as group_name, m.player_id, m.status,
           m.tier_id, t.name as tier_name, ${codesOf(publisherId)} as codes,
           ${tagsOf(publisherId)} as tags, m.created_at, m.removed_at, m.removal_reason,
           applied.code as wanted_code, applied.applied_at, applied.expires_at,
           ${order === null ? sql`null` : balanceOf}::text as balance
    from membership m
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    left join tier t on t.publisher_id = ${publisherId} and t.tier_id = m.tier_id
    left join creator_application applied
      on applied.publisher_id = ${publisherId} and applied.membership_id = m.membership_id and applied.decided_at is null
    ${order === null ? sql`` : order.join}
    where m.publisher_id = ${publisherId} and ${matches}
      ${before === null ? sql`` : sql`and ${place} < ${placeBefore}`}
    order by ${order === null ? sql`` : sql`${balanceOf} desc,`} m.membership_id desc
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, (row) =>
    row.balance === null ? [row.membership_id] : [row.membership_id, row.balance],
  );
  return { rows: page.rows.map(toMember), nextCursor: page.nextCursor };
}

/** Balance of the membership `m` in the currency of the order. */
const balanceOf: RawBuilder<unknown> = sql`coalesce(b.balance_minor, 0)`;

/**
 * Builds the condition that the membership `m`, with its account `a`, matches a filter. The caller's statement names
 * the publisher of `m`.
 * @throws Refusal InvalidInput for an id of a tier or tag that isn't one
 */
export async function matchingMembers(db: Db, filter: StatusFilter): Promise<RawBuilder<boolean>> {
  const { publisherId, status, groupId, tierId, tagId, typed } = filter;
  if (tierId !== undefined && !isRowId(tierId)) throw new Refusal('InvalidInput', "The tier doesn't exist.");
  const named = typed === undefined ? null : await membersNamed(db, publisherId, typed);
  return sql`m.status = ${status} and ${stands('m')}
    ${groupId === undefined ? sql`` : sql`and m.group_id = ${groupId}`}
    ${tierId === undefined ? sql`` : sql`and m.tier_id = ${tierId}::uuid`}
    ${tagId === undefined ? sql`` : sql`and ${isTagged(publisherId, tagId)}`}
    ${named === null ? sql`` : sql`and ${named}`}`;
}

interface MemberRow {
  membership_id: MembershipId;
  account_id: AccountId;
  name: string;
  logo_image: string | null;
  group_id: string;
  group_name: string;
  player_id: string | null;
  status: MemberStatus;
  tier_id: TierId | null;
  tier_name: string | null;
  codes: { code: string }[];
  tags: TagOfCreator[];
  created_at: Date;
  removed_at: Date | null;
  removal_reason: string | null;
  wanted_code: string | null;
  applied_at: Date | null;
  expires_at: Date | null;
  /** Null unless the list is sorted by it. */
  balance: string | null;
}

const toMember = (row: MemberRow): ListedMember => ({
  membershipId: row.membership_id,
  memberId: row.account_id,
  name: row.name,
  logoImage: row.logo_image,
  groupId: row.group_id,
  groupName: row.group_name,
  playerId: row.player_id,
  status: row.status,
  tier: row.tier_id === null ? null : { id: row.tier_id, name: row.tier_name ?? '' },
  codes: row.codes.map(({ code }) => code),
  tags: row.tags,
  joinedAt: row.created_at,
  removedAt: row.removed_at,
  removalReason: row.removal_reason,
  application:
    row.applied_at === null || row.expires_at === null
      ? null
      : { code: row.wanted_code, appliedAt: row.applied_at, expiresAt: row.expires_at },
});
