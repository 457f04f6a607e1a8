import { type RawBuilder, sql } from 'kysely';
import { rowsInOrder } from '../../attributions/list/keys.ts';
import {
  afterKey,
  chooseScope,
  hasCode,
  inScope,
  matchesFilters,
  order,
  type Scope,
  type TransactionListing,
} from '../../attributions/list/listing.ts';
import { hiddenLimit, keysAfter } from '../../attributions/list/page-by-cursor.ts';
import type { Origin, TransactionStatus } from '../../attributions/transaction-schema.ts';
import { findMemberships } from '../../members/read/find-memberships.ts';
import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId, MembershipId } from '../../platform/database/tables.generated.ts';
import type { PageKey } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';

/** Filters and sort order of a list of purchases on a screen, in one group or in all groups. */
export interface StaffListing {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  /** Start of the range of transaction dates. */
  from: Date | null;
  /** End (exclusive) of the range of transaction dates. */
  until: Date | null;
  /** Empty for all origins. */
  origins: readonly Origin[];
  /** Empty for all statuses. */
  statuses: readonly TransactionStatus[];
  /** Account id of the credited creator. */
  memberId: string | null;
  /** Credited code, compared case-insensitively. */
  code: string | null;
  transactionId: string | null;
  /** Payout whose rows of `memberId` are listed; null for all rows. */
  payoutId: string | null;
  /** Ids of rows; empty for all rows. */
  rowIds: readonly AttributionId[];
  /** Null for all currencies. No index includes the currency, so the date range must be short. */
  currency: string | null;
  direction: 'asc' | 'desc';
  pageSize: number;
}

/** Part of a listing that lies in one group, and the index range that contains its rows. */
export interface Part {
  listing: TransactionListing;
  scope: Scope;
}

/** Parts of a listing, for counts by group and for pages across all groups. */
export interface Parts {
  /** One part for each group, for counts; null if the rows have no stored counts and are counted one by one. */
  ofGroups: readonly Part[] | null;
  /**
   * Returns a subquery for the attribution_id and transaction_date of the first rows after a key; null if
   * there are no rows.
   */
  keys(after: PageKey | null): RawBuilder<unknown> | null;
}

/**
 * Divides a listing into parts that each use one index range.
 * @throws Refusal InvalidGroup
 */
export async function partsOf(db: Db, listed: StaffListing): Promise<Parts> {
  const groupIds = await groupsOf(db, listed);
  if (listed.rowIds.length > 0)
    return partsOfFew(listed, sql`attribution_id = any(${[...listed.rowIds]}::uuid[])`);
  if (listed.transactionId !== null) return partsOfFew(listed, sql`transaction_id = ${listed.transactionId}`);
  if (listed.payoutId !== null) return partsOfPayment(db, listed, groupIds);
  if (listed.memberId !== null && listed.code === null) return partsOfMember(db, listed, groupIds);
  const searchedGroups =
    listed.code === null ? groupIds : await groupsWithCode(db, listed, groupIds, listed.code);
  const ofGroups: Part[] = [];
  for (const groupId of searchedGroups) {
    const listing = inGroup(listed, groupId);
    const scope = await chooseScope(db, listing);
    ofGroups.push({ listing, scope: listed.currency === null ? scope : withoutCounts(scope) });
  }
  return {
    ofGroups: ofGroups.some(({ scope }) => scope.by === 'origin') ? null : ofGroups,
    keys(after) {
      const [first, ...others] = ofGroups;
      if (first === undefined) return null;
      if (others.length === 0) return keysAfter(first.listing, first.scope, after);
      const { pageSize, direction } = listed;
      const limit = hiddenLimit(pageSize + 1);
      if (listed.code === null)
        return rowsInOrder({ ...first.listing, groupIds: searchedGroups }, { by: 'group' }, { after, limit });
      const each = ofGroups.map(({ listing, scope }) => sql`(${keysAfter(listing, scope, after)})`);
      return sql`
        select attribution_id, transaction_date
        from (${sql.join(each, sql` union all `)}) of_groups
        order by ${order(direction)}
        limit ${limit}`;
    },
  };
}

/**
 * Returns the parts for one purchase, which has at most a thousand rows, or for chosen rows. The other filters still
 * apply.
 */
function partsOfFew(listing: StaffListing, among: RawBuilder<unknown>): Parts {
  const { groupId, direction, pageSize, code, memberId, publisherId } = listing;
  const filters = matchesFilters(inGroup(listing, ''));
  return {
    ofGroups: null,
    keys: (after) => sql`
      select attribution_id, transaction_date
      from attribution
      where publisher_id = ${publisherId} and ${among} and ${filters}
        ${groupId === null ? sql`` : sql`and group_id = ${groupId}`}
        ${code === null ? sql`` : sql`and ${hasCode(foldCode(code))}`}
        ${memberId === null || code !== null ? sql`` : sql`and membership_id in (select m.membership_id from membership m where m.publisher_id = ${publisherId} and m.account_id = ${memberId})`}
        ${afterKey(after, direction)}
      order by ${order(direction)}
      limit ${pageSize + 1}`,
  };
}

/** Returns the parts for what a payout pays a member: the rows of the payments that were assigned to it. */
async function partsOfPayment(db: Db, listed: StaffListing, groupIds: readonly string[]): Promise<Parts> {
  const { publisherId, payoutId, memberId } = listed;
  const filter = { by: 'memberId', value: memberId ?? '' } as const;
  const memberships: MembershipId[] = [];
  for (const groupId of groupIds)
    memberships.push(...(await findMemberships(db, publisherId, groupId, filter)));
  const paid = sql`
    attribution_id in (
      select p.attribution_id
      from payment p
      where p.publisher_id = ${publisherId} and p.payout_batch_id = ${payoutId}::uuid
        and p.membership_id = any(${memberships}::uuid[]))`;
  return partsOfFew({ ...listed, memberId: null }, paid);
}

/** Returns the parts for a member, whose rows are found through the member's memberships in all groups. */
async function partsOfMember(db: Db, listed: StaffListing, groupIds: readonly string[]): Promise<Parts> {
  const ofGroups: Part[] = [];
  for (const groupId of groupIds) {
    const listing = inGroup(listed, groupId);
    const { publisherId } = listed;
    const filter = { by: 'memberId', value: listed.memberId ?? '' } as const;
    const memberships = await findMemberships(db, publisherId, groupId, filter);
    if (memberships.length > 0) ofGroups.push({ listing, scope: { by: 'members', memberships } });
  }
  const memberships = ofGroups.flatMap(({ scope }) => (scope.by === 'members' ? scope.memberships : []));
  const [first] = ofGroups;
  return {
    ofGroups: listed.currency === null ? ofGroups : null,
    keys: (after) =>
      first === undefined ? null : keysAfter(first.listing, { by: 'members', memberships }, after),
  };
}

/** Returns a scope with the same rows, but read and counted without stored counts. */
const withoutCounts = (scope: Scope): Scope => ({ by: 'origin', among: inScope(scope) });

const inGroup = (listed: StaffListing, groupId: string): TransactionListing => ({
  publisherId: listed.publisherId,
  groupIds: [groupId],
  startDate: listed.from,
  endDate: listed.until === null ? null : new Date(listed.until.getTime() - 1),
  origins: listed.origins,
  statuses: listed.statuses,
  currency: listed.currency,
  member: listed.code === null ? null : { by: 'code', value: listed.code },
  exactCode: true,
  transactionIds: [],
  hasRefund: null,
  direction: listed.direction,
  pageSize: listed.pageSize,
});

/**
 * Returns the ids of all of the publisher's groups, or only the id of the requested group.
 * @throws Refusal InvalidGroup
 */
export async function groupsOf(
  db: Db,
  { publisherId, groupId }: { publisherId: string; groupId: string | null },
): Promise<string[]> {
  const groups = db.selectFrom('creator_group').select('group_id').where('publisher_id', '=', publisherId);
  const found = await (groupId === null ? groups : groups.where('group_id', '=', groupId))
    .orderBy('group_id')
    .execute();
  if (groupId !== null && found.length === 0)
    throw new Refusal('InvalidGroup', `The publisher has no creator group ${groupId}.`);
  return found.map(({ group_id }) => group_id);
}

/** Returns the groups where a code has a purchase or currently belongs to a member. */
async function groupsWithCode(
  db: Db,
  { publisherId }: StaffListing,
  groupIds: readonly string[],
  code: string,
): Promise<string[]> {
  const folded = foldCode(code);
  const { rows } = await sql<{ group_id: string }>`
    select c.group_id
    from credited_code c
    where c.publisher_id = ${publisherId} and c.group_id = any(${groupIds}::text[]) and c.code_folded = ${folded}
    union
    select g.group_id
    from group_code g
    where g.publisher_id = ${publisherId} and g.group_id = any(${groupIds}::text[]) and g.code_folded = ${folded}
    union
    select m.group_id
    from global_code c
    join membership m on m.publisher_id = ${publisherId} and m.account_id = c.account_id
    where c.code_folded = ${folded} and m.group_id = any(${groupIds}::text[])
    order by 1`.execute(db);
  return rows.map(({ group_id }) => group_id);
}

/** Returns everything that determines a listing's rows and order. A cursor is valid only for the same values. */
export const cursorScopeOf = (listed: StaffListing): unknown => [
  'transactions of staff',
  listed.publisherId,
  listed.groupId,
  listed.from?.getTime() ?? null,
  listed.until?.getTime() ?? null,
  [...new Set(listed.origins)].sort(),
  [...new Set(listed.statuses)].sort(),
  listed.memberId,
  listed.code === null ? null : foldCode(listed.code),
  listed.transactionId,
  listed.direction,
  ...(listed.payoutId === null ? [] : [`payout ${listed.payoutId}`]),
  ...(listed.rowIds.length === 0 ? [] : [[...listed.rowIds].sort()]),
  ...(listed.currency === null ? [] : [listed.currency]),
];
