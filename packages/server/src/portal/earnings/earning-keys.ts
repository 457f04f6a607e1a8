import { type RawBuilder, sql } from 'kysely';
import {
  afterKey,
  hasCode,
  matchesFilters,
  order,
  type TransactionListing,
} from '../../attributions/list/listing.ts';
import { hiddenLimit } from '../../attributions/list/page-by-cursor.ts';
import { dayMs, dayOf, toTimestamptz } from '../../attributions/list/spans.ts';
import { lastRowOf } from '../../attributions/posted.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import type { PageKey } from '../../platform/page.ts';

export interface KeyListing {
  listing: TransactionListing;
  memberships: readonly MembershipId[];
  /** Code as returned by `foldCode`; null for all codes. */
  folded: string | null;
}

/**
 * Maximum number of unposted recordings that are searched for rows with a code or currency. Usually, there are only a
 * few. If posting is behind, the rows of later recordings are listed once they are posted.
 */
const maxUnposted = 2_000;

const newestFirst = order('desc');

/** Condition for rows that credit the creator. Without statistics, like the listing's own conditions. */
const isReal = sql`coalesce(is_test, false) = false`;

/**
 * Returns a subquery for the attribution_id and transaction_date of a creator's first rows after a key, newest first.
 * Rows are read in the order of the index by member. No index contains the code and the currency, so a filter on them
 * reads only the days on which, by the sums that posting maintains, there are such rows.
 */
export function earningKeys(wanted: KeyListing, after: PageKey | null): RawBuilder<unknown> {
  const { listing, memberships, folded } = wanted;
  const { currency, statuses } = listing;
  // The index on unusual rows has few entries, so all of them may be read.
  const isRare = statuses.length > 0 && !statuses.includes('Normal');
  if ((folded === null && currency === null) || isRare)
    return sql`
      select attribution_id, transaction_date
      from unnest(${[...memberships]}::uuid[]) as one (id)
      cross join lateral (${rows(wanted, sql`membership_id = one.id`, after)}) first_rows
      order by ${newestFirst}
      limit ${hiddenLimit(listing.pageSize + 1)}`;
  return keysOfDays(wanted, after);
}

function rows(
  { listing, folded }: KeyListing,
  condition: RawBuilder<unknown>,
  after: PageKey | null,
): RawBuilder<unknown> {
  return sql`
    select attribution_id, transaction_date
    from attribution
    where publisher_id = ${listing.publisherId} and ${matchesFilters(listing)} and ${isReal} and ${condition}
      ${folded === null ? sql`` : sql`and ${hasCode(folded)}`} ${afterKey(after, 'desc')}
    order by ${newestFirst}
    limit ${hiddenLimit(listing.pageSize + 1)}`;
}

/** Reads the rows of just enough days to fill a page. */
function keysOfDays(wanted: KeyListing, after: PageKey | null): RawBuilder<unknown> {
  const { listing, memberships, folded } = wanted;
  const { publisherId, currency, startDate, endDate, pageSize } = listing;
  const afterMs = after === null ? Number.POSITIVE_INFINITY : Number(after[0]);
  const fromMs = startDate?.getTime() ?? Number.NEGATIVE_INFINITY;
  const untilMs = Math.min(afterMs, endDate?.getTime() ?? Number.POSITIVE_INFINITY);
  const matches = sql`
    ${folded === null ? sql`true` : hasCode(folded)} and ${currency === null ? sql`true` : sql`currency = ${currency}`}`;
  // The day of the cursor may have no more rows, so it must not be counted.
  const isWhole = after === null ? sql`true` : sql`day < ${dayOf(afterMs)}`;
  return sql`
    with day_of_member as materialized (
      select membership_id, day,
             sum(all_count - test_count - refund_count - fraud_count - chargeback_count) filter (where ${isWhole}) as n
      from earning_rollup
      where publisher_id = ${publisherId} and membership_id = any(${[...memberships]}::uuid[]) and ${matches}
        and day >= ${dayOf(fromMs)} and day <= ${dayOf(untilMs)}
      group by membership_id, day
      union all
      select distinct membership_id, (transaction_date at time zone 'UTC')::date, 0
      from (
        select recording_id
        from unposted
        where publisher_id = ${publisherId}
        order by recording_id
        limit ${maxUnposted}
      ) u
      cross join lateral (
        select membership_id, code, currency, transaction_date
        from attribution
        where publisher_id = ${publisherId} and attribution_id between u.recording_id and ${lastRowOf('u.recording_id')}
        offset 0
      ) a
      where membership_id = any(${[...memberships]}::uuid[]) and ${matches}
        and transaction_date >= ${toTimestamptz(fromMs)} and transaction_date < ${toTimestamptz(untilMs + dayMs)}
    ),
    chosen as materialized (
      select day
      from (
        select day, sum(n) over (order by day desc) - n as before
        from (select day, coalesce(sum(n), 0) as n from day_of_member group by day) by_day
      ) counted
      where before <= ${pageSize}
    )
    select attribution_id, transaction_date
    from (select distinct membership_id, day from day_of_member) d
    join chosen on chosen.day = d.day
    cross join lateral (${rows(
      wanted,
      sql`
        membership_id = d.membership_id and transaction_date >= d.day::timestamp at time zone 'UTC'
        and transaction_date < (d.day + 1)::timestamp at time zone 'UTC'`,
      after,
    )}) first_rows
    order by ${newestFirst}
    limit ${hiddenLimit(pageSize + 1)}`;
}
