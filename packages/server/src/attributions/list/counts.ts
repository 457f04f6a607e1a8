import { type RawBuilder, sql } from 'kysely';
import { lastRowOf } from '../posted.ts';
import { origins as allOrigins, statuses as allStatuses, type Origin } from '../transaction-schema.ts';
import {
  hasCode,
  hasStatus,
  inGroups,
  inScope,
  matchesFilters,
  type Scope,
  type TransactionListing,
} from './listing.ts';
import {
  type DividedSpan,
  dayMs,
  dayOf,
  hourMs,
  isWithin,
  type Span,
  startOf,
  toTimestamptz,
} from './spans.ts';

/**
 * Counts of a listing's rows by UTC hour (for a group) or UTC day (for a member or a code). Posting maintains
 * counts of whole hours and days. Everything else is counted row by row: unposted rows, partial hours and
 * days, and rows whose origin is not the API. One statement counts everything, so the result comes from one
 * snapshot.
 */

/** Returns the length of the units for which posting maintains counts, in milliseconds. */
export const unitOf = (scope: Scope): number => (scope.by === 'group' ? hourMs : dayMs);

const truncated = (unitMs: number): RawBuilder<Date> =>
  sql`date_trunc(${unitMs === hourMs ? 'hour' : 'day'}, transaction_date, 'UTC')`;

export const spanOf = ({ startDate, endDate }: TransactionListing): Span => ({
  fromMs: startDate?.getTime() ?? Number.NEGATIVE_INFINITY,
  toMs: endDate === null ? Number.POSITIVE_INFINITY : endDate.getTime() + 1,
});

/** Returns the CTE `waiting` with the `starts` and `membership_id` of each unposted row in a scope. */
export const unpostedRows = (
  listing: TransactionListing,
  scope: Scope,
  span: Span,
): RawBuilder<unknown> => sql`
  waiting as materialized (
    select ${truncated(unitOf(scope))} as starts, membership_id
    from unposted u
    cross join lateral (
      select group_id, membership_id, code, status, transaction_id, transaction_date
      from attribution
      where publisher_id = ${listing.publisherId} and attribution_id between u.recording_id and ${lastRowOf('u.recording_id')}
      offset 0
    ) a
    where u.publisher_id = ${listing.publisherId} and ${inGroups(listing)} and ${inScope(scope)}
      and ${hasStatus(listing)} and ${isWithin(sql`transaction_date`, span)}
  )`;

/**
 * Returns the CTEs `pair` and `day_of_member` with the days on which members have posted or unposted rows
 * with a code. Reading only these days avoids reading all days of a member who has many codes.
 */
export const daysWithCode = (
  listing: TransactionListing,
  folded: string,
  span: Span,
): RawBuilder<unknown> => sql`
  pair as materialized (
    select c.membership_id, e.day::timestamp at time zone 'UTC' as starts, e.n
    from credited_code c
    cross join lateral (
      select day, sum(${countOf(listing)}) as n
      from earning_rollup
      where publisher_id = ${listing.publisherId} and membership_id = c.membership_id and ${hasCode(folded)}
        and day >= ${dayOf(span.fromMs)} and day <= ${dayOf(span.toMs)}
      group by day
    ) e
    where c.publisher_id = ${listing.publisherId} and ${inGroups(listing)} and c.code_folded = ${folded}
  ),
  day_of_member as materialized (
    select membership_id, starts from pair
    union
    select membership_id, starts from waiting
  )`;

/**
 * Returns the CTEs `cell` and `bucket` with the number of rows in each hour or day, as `starts` and `n`.
 * @param countsPartials true to count the rows in partial hours and days; otherwise each of them is returned
 *   with 0 rows
 */
export function buckets(
  listing: TransactionListing,
  scope: Scope,
  { whole, partials }: DividedSpan,
  countsPartials: boolean,
): RawBuilder<unknown> {
  const unitMs = unitOf(scope);
  const cells = [sql`select null::timestamptz as starts, 0 as n where false`];
  if (scope.by === 'origin' || scope.by === 'refunds' || scope.by === 'transactions')
    cells.push(countedByRows(listing, scope));
  else {
    if (whole !== null)
      cells.push(
        postedCounts(listing, scope, whole),
        sql`select starts, count(*) from waiting where ${isWithin(sql`starts`, whole)} group by starts`,
        ...otherOrigins(listing, scope, whole),
      );
    for (const partial of partials)
      cells.push(countsPartials ? partialCount(listing, scope, partial) : partialDays(partial, unitMs));
  }
  return sql`
    cell as materialized (${sql.join(cells, sql` union all `)}),
    bucket as materialized (select starts, sum(n) as n from cell group by starts)`;
}

/** Returns the sum of posting's count columns for the listing's statuses. */
function countOf({ statuses }: TransactionListing): RawBuilder<unknown> {
  const columns = {
    Normal: sql`all_count - test_count - refund_count - fraud_count - chargeback_count`,
    Test: sql`test_count`,
    Refund: sql`refund_count`,
    Fraud: sql`fraud_count`,
    Chargeback: sql`chargeback_count`,
  };
  const chosen = new Set(statuses);
  if (chosen.size === 0 || chosen.size === allStatuses.length) return sql`all_count`;
  return sql.join(
    [...chosen].map((status) => columns[status]),
    sql` + `,
  );
}

function postedCounts(
  listing: TransactionListing,
  scope: Exclude<Scope, { by: 'origin' | 'refunds' | 'transactions' }>,
  whole: Span,
): RawBuilder<unknown> {
  switch (scope.by) {
    case 'group':
      return sql`
        select hour, ${countOf(listing)}
        from transaction_count
        where publisher_id = ${listing.publisherId} and ${inGroups(listing)} and ${isWithin(sql`hour`, whole)}`;
    case 'members':
      return sql`
        select day::timestamp at time zone 'UTC', ${countOf(listing)}
        from earning_rollup
        where publisher_id = ${listing.publisherId} and membership_id = any(${scope.memberships}::uuid[])
          and day >= ${dayOf(whole.fromMs)} and day < ${dayOf(whole.toMs)}`;
    case 'code':
      return sql`select starts, n from pair where ${isWithin(sql`starts`, whole)}`;
  }
}

/** Subtracts the rows whose origin is outside the listing, because posting's counts include every origin. */
function otherOrigins(listing: TransactionListing, scope: Scope, whole: Span): RawBuilder<unknown>[] {
  const unwanted: Origin[] = allOrigins.filter((origin) => !listing.origins.includes(origin));
  if (listing.origins.length === 0 || unwanted.length === 0) return [];
  return [
    sql`
      select ${truncated(unitOf(scope))}, -count(*)
      from attribution
      where publisher_id = ${listing.publisherId} and ${inGroups(listing)} and origin <> 'api'
        and origin = any(${unwanted}::text[]) and ${inScope(scope)} and ${hasStatus(listing)}
        and ${isWithin(sql`transaction_date`, whole)}
      group by 1`,
  ];
}

const countedByRows = (listing: TransactionListing, scope: Scope): RawBuilder<unknown> => sql`
  select ${truncated(unitOf(scope))}, count(*)
  from attribution
  where ${matchesFilters(listing)} and ${inGroups(listing)} and ${inScope(scope)}
  group by 1`;

function partialCount(listing: TransactionListing, scope: Scope, partial: Span): RawBuilder<unknown> {
  const starts = toTimestamptz(startOf(partial.fromMs, unitOf(scope)));
  const rows = (among: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select count(*) as n
    from attribution
    where ${matchesFilters(listing)} and ${among} and ${isWithin(sql`transaction_date`, partial)}`;
  if (scope.by !== 'code')
    return sql`
      select ${starts}, n
      from (${rows(scope.by === 'group' ? inGroups(listing) : inScope(scope))}) counted`;
  return sql`
    select d.starts, r.n
    from day_of_member d
    cross join lateral (${rows(sql`membership_id = d.membership_id and ${hasCode(scope.folded)}`)}) r
    where d.starts = ${starts}`;
}

/**
 * Returns a partial day with 0 rows. The day has to be read, but posting's count for the whole day doesn't
 * apply.
 */
const partialDays = (partial: Span, unitMs: number): RawBuilder<unknown> =>
  sql`select ${toTimestamptz(startOf(partial.fromMs, unitMs))}, 0`;
