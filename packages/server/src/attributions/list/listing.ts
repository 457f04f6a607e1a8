import { type RawBuilder, sql } from 'kysely';
import { findMemberships, type MemberFilter } from '../../members/read/find-memberships.ts';
import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { toAttributionId } from '../../platform/ids.ts';
import type { PageKey } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  origins as allOrigins,
  statuses as allStatuses,
  type Origin,
  type TransactionStatus,
} from '../transaction-schema.ts';

export interface TransactionListing {
  publisherId: string;
  /** Null: of all groups. */
  groupIds: readonly string[] | null;
  /** Inclusive. */
  startDate: Date | null;
  /** Inclusive. */
  endDate: Date | null;
  /** Empty: all. */
  origins: readonly Origin[];
  /** Empty: all. */
  statuses: readonly TransactionStatus[];
  member: MemberFilter | null;
  /** With a code filter: rows under exactly this code, instead of all rows of its member. */
  exactCode: boolean;
  /** Rows of these purchases; empty: of all. */
  transactionIds: readonly string[];
  direction: 'asc' | 'desc';
  pageSize: number;
}

/** Where the rows of a listing are found: each way has an index, and counts of its own. */
export type Place =
  | { by: 'group' }
  | { by: 'members'; memberships: readonly MembershipId[] }
  | { by: 'code'; folded: string }
  /** Rows that did not come from the API alone are few, whosesoever. */
  | { by: 'origin'; among: RawBuilder<unknown> }
  /** So are those of some purchases. */
  | { by: 'transactions'; transactionIds: readonly string[]; among: RawBuilder<unknown> };

/** @throws Refusal MemberNotFound */
export async function placeToLook(db: Db, listing: TransactionListing): Promise<Place> {
  const { member, origins, transactionIds } = listing;
  const place = await placeOfMember(db, listing);
  if (transactionIds.length > 0) return { by: 'transactions', transactionIds, among: isIn(place) };
  const isOfFew = origins.length > 0 && !origins.includes('api');
  return isOfFew ? { by: 'origin', among: member === null ? sql`true` : isIn(place) } : place;
}

async function placeOfMember(
  db: Db,
  { publisherId, groupIds, member, exactCode }: TransactionListing,
): Promise<Place> {
  if (member === null) return { by: 'group' };
  if (member.by === 'code' && exactCode) return { by: 'code', folded: foldCode(member.value) };
  const memberships: MembershipId[] = [];
  for (const groupId of groupIds ?? (await groupsOf(db, publisherId)))
    memberships.push(...(await findMemberships(db, publisherId, groupId, member)));
  if (memberships.length === 0) {
    const where = groupIds?.length === 1 ? 'the creator group' : 'any creator group';
    throw new Refusal('MemberNotFound', `No member of ${where} has this ${member.by}.`);
  }
  return { by: 'members', memberships };
}

/** Reads the ids of all groups of a publisher. */
export async function groupsOf(db: Db, publisherId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .orderBy('group_id')
    .execute();
  return rows.map(({ group_id }) => group_id);
}

/** Whether a row is of the groups that a listing asks for. */
export const inGroups = ({ groupIds }: TransactionListing): RawBuilder<boolean> => {
  if (groupIds === null) return sql`true`;
  const [only, ...others] = groupIds;
  return others.length === 0 && only !== undefined
    ? sql`group_id = ${only}`
    : sql`group_id = any(${[...groupIds]}::text[])`;
};

/** Whether a row of the group is in a place. */
export function isIn(place: Place): RawBuilder<boolean> {
  switch (place.by) {
    case 'group':
      return sql`true`;
    case 'members':
      return sql`membership_id = any(${place.memberships}::uuid[])`;
    case 'code':
      return isUnder(place.folded);
    case 'origin':
      return sql`${place.among}`;
    case 'transactions':
      return sql`transaction_id = any(${[...place.transactionIds]}::text[]) and ${place.among}`;
  }
}

/** Whether a row has a code, however it is spelled. @param folded as `foldCode` makes it */
export const isUnder = (folded: string): RawBuilder<boolean> => sql`lower(code) = ${folded}`;

/** What the filters ask of a row, but for whose it is. */
export function asked(listing: TransactionListing): RawBuilder<boolean> {
  const { startDate, endDate } = listing;
  const all = [sql`publisher_id = ${listing.publisherId}`, hasStatus(listing), hasOrigin(listing)];
  if (startDate !== null) all.push(sql`transaction_date >= ${startDate}`);
  if (endDate !== null) all.push(sql`transaction_date <= ${endDate}`);
  return sql`${sql.join(all, sql` and `)}`;
}

export const hasStatus = ({ statuses }: TransactionListing): RawBuilder<boolean> =>
  isOneOf('status', statuses, { all: allStatuses, usual: 'Normal' });

const hasOrigin = ({ origins }: TransactionListing): RawBuilder<boolean> =>
  isOneOf('origin', origins, { all: allOrigins, usual: 'api' });

/**
 * The rows that are not usual are few, and partial indexes hold them: their words are said once more. The rest is said by
 * what is not asked for, of an expression that has no statistics: a planner that takes it that few rows are left would
 * rather sort them all than read the first ones in the index's order.
 * @param asked empty: all
 */
function isOneOf(
  column: 'status' | 'origin',
  asked: readonly string[],
  { all, usual }: { all: readonly string[]; usual: string },
): RawBuilder<boolean> {
  const others = asked.length === 0 ? [] : all.filter((value) => !asked.includes(value));
  if (others.length === 0) return sql`true`;
  const isAsked = sql<boolean>`coalesce(${sql.ref(column)}, '') <> all(${others}::text[])`;
  return others.includes(usual) ? sql`${isAsked} and ${sql.ref(column)} <> ${sql.lit(usual)}` : isAsked;
}

/** A condition that leaves the rows after a place; none when there is no place. */
export function beyond(
  after: PageKey | null,
  direction: TransactionListing['direction'],
): RawBuilder<unknown> {
  if (after === null) return sql``;
  const [dateMs, attributionId] = after;
  if (dateMs === undefined || attributionId === undefined) throw new Error('a place has a date and an id');
  return sql`
    and (transaction_date, attribution_id) ${direction === 'asc' ? sql`>` : sql`<`}
        (${new Date(Number(dateMs))}::timestamptz, ${toAttributionId(attributionId)}::uuid)`;
}

export function order(direction: 'asc' | 'desc', table?: 'a' | 'r'): RawBuilder<unknown> {
  const prefix = table === undefined ? sql`` : sql`${sql.ref(table)}.`;
  return direction === 'asc'
    ? sql`${prefix}transaction_date, ${prefix}attribution_id`
    : sql`${prefix}transaction_date desc, ${prefix}attribution_id desc`;
}
