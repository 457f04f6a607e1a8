import { type RawBuilder, sql } from 'kysely';
import type { PageKey } from '../../platform/page.ts';
import {
  afterKey,
  hasCode,
  inGroups,
  isRefundedWhole,
  matchesFilters,
  order,
  type Scope,
  type TransactionListing,
} from './listing.ts';

export interface KeyRange {
  after: PageKey | null;
  from?: RawBuilder<unknown>;
  limit: RawBuilder<unknown>;
}

/**
 * Selects the keys of a scope's first rows in order, straight from an index. If the scope has several
 * memberships, reads the first rows of each membership.
 */
export const rowsInOrder = (
  listing: TransactionListing,
  scope: Exclude<Scope, { by: 'code' }>,
  range: KeyRange,
): RawBuilder<unknown> =>
  firstOf(listing, scope, {
    columns: sql`attribution_id, transaction_date`,
    ordered: order(listing.direction),
    ...range,
  });

/** Selects the dates of a scope's first rows in order, with an index-only scan. */
export const datesInOrder = (
  listing: TransactionListing,
  scope: Exclude<Scope, { by: 'code' }>,
  range: Omit<KeyRange, 'after'>,
): RawBuilder<unknown> =>
  firstOf(listing, scope, {
    columns: sql`transaction_date`,
    ordered: listing.direction === 'asc' ? sql`transaction_date` : sql`transaction_date desc`,
    after: null,
    ...range,
  });

interface KeyQuery extends KeyRange {
  columns: RawBuilder<unknown>;
  ordered: RawBuilder<unknown>;
}

function firstOf(
  listing: TransactionListing,
  scope: Exclude<Scope, { by: 'code' }>,
  query: KeyQuery,
): RawBuilder<unknown> {
  switch (scope.by) {
    case 'group':
      return firstOfGroups(listing, query, (inGroup) => firstRows(listing, inGroup, query));
    case 'origin':
      return firstOfGroups(listing, query, (inGroup) =>
        firstRows(listing, sql`${inGroup} and ${scope.among}`, query),
      );
    case 'refunds':
      return firstOfGroups(listing, query, (inGroup) =>
        firstRefunded(listing, { inGroup, among: scope.among }, query),
      );
    case 'transactions':
      return firstRows(listing, sql`${inGroups(listing)} and ${scope.among}`, query, rowsOf(listing, scope));
    case 'members': {
      const [only, ...others] = scope.memberships;
      if (others.length === 0) return firstRows(listing, sql`membership_id = ${only}::uuid`, query);
      return sql`
        select ${query.columns}
        from unnest(${scope.memberships}::uuid[]) as one (id)
        cross join lateral (${firstRows(listing, sql`membership_id = one.id`, query)}) first_rows
        order by ${query.ordered}
        limit ${query.limit}`;
    }
  }
}

/** Selects the first rows across all groups by combining the first rows of each group. */
function firstOfGroups(
  { groupIds }: TransactionListing,
  query: KeyQuery,
  firstOf: (inGroup: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (groupIds === null) throw new Error('a listing by date must name its groups');
  const [only, ...others] = groupIds;
  if (others.length === 0) return firstOf(sql`group_id = ${only}`);
  return sql`
    select ${query.columns}
    from unnest(${[...groupIds]}::text[]) as one (id)
    cross join lateral (${firstOf(sql`group_id = one.id`)}) first_rows
    order by ${query.ordered}
    limit ${query.limit}`;
}

/**
 * Selects the first rows with a refund, by combining the fully refunded rows with the partly refunded ones.
 * Each set is read in order from its own index.
 */
const firstRefunded = (
  listing: TransactionListing,
  { inGroup, among }: Record<'inGroup' | 'among', RawBuilder<unknown>>,
  query: KeyQuery,
): RawBuilder<unknown> => {
  const { publisherId, direction } = listing;
  const keys = { ...query, columns: sql`attribution_id, transaction_date` };
  const inParts = sql`
    (
      select attribution_id as part_of
      from payment
      where publisher_id = ${publisherId} and refunded_minor is not null and refunded_minor > 0
        and reversed_at is null and ${inGroup}
        ${afterKey(query.after, direction)}
      order by ${order(direction)}
    ) part
    cross join lateral (
      select * from attribution where publisher_id = ${publisherId} and attribution_id = part_of offset 0
    ) attribution`;
  return sql`
    select ${query.columns}
    from (
      (${firstRows(listing, sql`${inGroup} and ${among} and ${isRefundedWhole}`, keys)})
      union all
      (${firstRows(listing, among, keys, inParts)})
    ) with_refund
    order by ${query.ordered}
    limit ${query.limit}`;
};

/** Selects the rows of the given purchases. `offset 0` keeps the planner from choosing another index. */
const rowsOf = (
  { publisherId }: TransactionListing,
  { transactionIds }: Extract<Scope, { by: 'transactions' }>,
): RawBuilder<unknown> => sql`
  (
    select *
    from attribution
    where publisher_id = ${publisherId} and transaction_id = any(${[...transactionIds]}::text[])
    offset 0
  ) attribution`;

/** Selects the first rows with a code, in order, from the days in `chosen`, member by member. */
export const rowsWithCode = (
  listing: TransactionListing,
  folded: string,
  range: KeyRange,
): RawBuilder<unknown> => sql`
  select attribution_id, transaction_date
  from chosen
  join day_of_member d on d.starts = chosen.starts
  cross join lateral (${firstRows(
    listing,
    sql`
      membership_id = d.membership_id and ${hasCode(folded)}
      and transaction_date >= d.starts and transaction_date < d.starts + interval '24 hours'`,
    { columns: sql`attribution_id, transaction_date`, ordered: order(listing.direction), ...range },
  )}) first_rows
  order by ${order(listing.direction)}`;

const firstRows = (
  listing: TransactionListing,
  condition: RawBuilder<unknown>,
  { columns, ordered, after, from = sql``, limit }: KeyQuery,
  rows: RawBuilder<unknown> = sql`attribution`,
): RawBuilder<unknown> => sql`
  select ${columns}
  from ${rows}
  where ${matchesFilters(listing)} and ${condition} ${afterKey(after, listing.direction)} ${from}
  order by ${ordered}
  limit ${limit}`;
