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
  /** Null for all groups. */
  groupIds: readonly string[] | null;
  /** Inclusive. */
  startDate: Date | null;
  /** Inclusive. */
  endDate: Date | null;
  origins: readonly Origin[];
  statuses: readonly TransactionStatus[];
  /** Null for all currencies. Stored counts don't distinguish currencies. */
  currency: string | null;
  member: MemberFilter | null;
  /**
   * True if a code filter matches only rows recorded with exactly that code. If false, the filter matches all
   * rows of the member who has the code.
   */
  exactCode: boolean;
  transactionIds: readonly string[];
  /** True for rows that were refunded in part or in full, false for all other rows; null for all rows. */
  hasRefund: boolean | null;
  direction: 'asc' | 'desc';
  pageSize: number;
}

/**
 * Part of the data that the filters narrow a listing to. It determines the index from which rows are read and
 * the counts that apply.
 */
export type Scope =
  | { by: 'group' }
  | { by: 'members'; memberships: readonly MembershipId[] }
  | { by: 'code'; folded: string }
  /**
   * Rows with an origin other than the API (there are only a few), or rows of a few days that are read
   * without stored counts.
   */
  | { by: 'origin'; among: RawBuilder<unknown> }
  /** Rows with a refund; there are only a few. */
  | { by: 'refunds'; among: RawBuilder<unknown> }
  /** Rows of the given purchases. There are few such rows. */
  | { by: 'transactions'; transactionIds: readonly string[]; among: RawBuilder<unknown> };

/**
 * Chooses the scope of a listing from its filters.
 * @throws Refusal MemberNotFound
 */
export async function chooseScope(db: Db, listing: TransactionListing): Promise<Scope> {
  const { member, origins, transactionIds, hasRefund } = listing;
  const scope = await memberScope(db, listing);
  if (transactionIds.length > 0) return { by: 'transactions', transactionIds, among: inScope(scope) };
  if (hasRefund === true) return { by: 'refunds', among: inScope(scope) };
  // Stored counts don't distinguish rows with a refund, so the days of a code can't be chosen by their counts.
  if (hasRefund === false && scope.by === 'code') return { by: 'origin', among: inScope(scope) };
  const isRare = origins.length > 0 && !origins.includes('api');
  return isRare ? { by: 'origin', among: member === null ? sql`true` : inScope(scope) } : scope;
}

async function memberScope(
  db: Db,
  { publisherId, groupIds, member, exactCode }: TransactionListing,
): Promise<Scope> {
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

export async function groupsOf(db: Db, publisherId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .orderBy('group_id')
    .execute();
  return rows.map(({ group_id }) => group_id);
}

export const inGroups = ({ groupIds }: TransactionListing): RawBuilder<boolean> => {
  if (groupIds === null) return sql`true`;
  const [only, ...others] = groupIds;
  return others.length === 0 && only !== undefined
    ? sql`group_id = ${only}`
    : sql`group_id = any(${[...groupIds]}::text[])`;
};

/** Returns a condition that narrows the rows of the listing's groups down to the rows in a scope. */
export function inScope(scope: Scope): RawBuilder<boolean> {
  switch (scope.by) {
    case 'group':
      return sql`true`;
    case 'members':
      return sql`membership_id = any(${scope.memberships}::uuid[])`;
    case 'code':
      return hasCode(scope.folded);
    case 'origin':
    case 'refunds':
      return sql`${scope.among}`;
    case 'transactions':
      return sql`transaction_id = any(${[...scope.transactionIds]}::text[]) and ${scope.among}`;
  }
}

/** @param folded the code as returned by `foldCode` */
export const hasCode = (folded: string): RawBuilder<boolean> => sql`lower(code) = ${folded}`;

/** Returns the condition for the listing's filters, except the filters on groups and members. */
export function matchesFilters(listing: TransactionListing): RawBuilder<boolean> {
  const { startDate, endDate, currency, hasRefund } = listing;
  const all = [sql`publisher_id = ${listing.publisherId}`, hasStatus(listing), hasOrigin(listing)];
  if (startDate !== null) all.push(sql`transaction_date >= ${startDate}`);
  if (endDate !== null) all.push(sql`transaction_date <= ${endDate}`);
  // An expression without statistics, as in `isOneOf`.
  if (currency !== null) all.push(sql`coalesce(currency, '') = ${currency}`);
  if (hasRefund !== null)
    all.push(hasRefund ? isRefunded(listing.publisherId) : sql`not ${isRefunded(listing.publisherId)}`);
  return sql`${sql.join(all, sql` and `)}`;
}

/** Returns the condition for fully refunded rows, in the form of the index on unusual rows. */
export const isRefundedWhole = sql<boolean>`status <> 'Normal' and status <> 'Test'`;

/**
 * Returns the condition for rows that were refunded in part or in full. The subquery has no `attribution_id` column of
 * its own, so the name refers to the outer row's.
 */
const isRefunded = (publisherId: string): RawBuilder<boolean> => sql`
  (${isRefundedWhole} or exists (
    select 1
    from (
      select attribution_id as part_of
      from payment
      where publisher_id = ${publisherId} and refunded_minor is not null and refunded_minor > 0
    ) part
    where part_of = attribution_id
    offset 0
  ))`;

export const hasStatus = ({ statuses }: TransactionListing): RawBuilder<boolean> =>
  isOneOf('status', statuses, { all: allStatuses, usual: 'Normal' });

const hasOrigin = ({ origins }: TransactionListing): RawBuilder<boolean> =>
  isOneOf('origin', origins, { all: allOrigins, usual: 'api' });

/**
 * Returns a condition that selects the rows with one of the wanted values in a column. The condition excludes
 * the other values through an expression for which the planner has no statistics. A planner that expected few
 * rows would sort all of them instead of reading the first rows in index order. If the usual value isn't
 * wanted, the condition also repeats the predicate of the partial index on unusual rows, so that PostgreSQL
 * uses the index.
 * @param wanted empty for all values
 */
function isOneOf(
  column: 'status' | 'origin',
  wanted: readonly string[],
  { all, usual }: { all: readonly string[]; usual: string },
): RawBuilder<boolean> {
  const others = wanted.length === 0 ? [] : all.filter((value) => !wanted.includes(value));
  if (others.length === 0) return sql`true`;
  const isWanted = sql<boolean>`coalesce(${sql.ref(column)}, '') <> all(${others}::text[])`;
  return others.includes(usual) ? sql`${isWanted} and ${sql.ref(column)} <> ${sql.lit(usual)}` : isWanted;
}

/** Returns a condition that selects the rows after a key, or an empty condition if there is no key. */
export function afterKey(
  after: PageKey | null,
  direction: TransactionListing['direction'],
): RawBuilder<unknown> {
  if (after === null) return sql``;
  const [dateMs, attributionId] = after;
  if (dateMs === undefined || attributionId === undefined)
    throw new Error('a cursor is missing its date or id');
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
