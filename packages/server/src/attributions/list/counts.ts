import { type RawBuilder, sql } from 'kysely';
import { lastRowOf } from '../posted.ts';
import { origins as allOrigins, statuses as allStatuses, type Origin } from '../transaction-schema.ts';
import { asked, hasStatus, inGroups, isIn, isUnder, type Place, type TransactionListing } from './listing.ts';
import { type Divided, dayMs, dayOf, hourMs, isWithin, moment, type Span, startOf } from './spans.ts';

/*
 * How many rows of a listing fall into which hour (of a group) or day (of a member or code), of UTC. Posting keeps
 * counts of whole ones; what they do not know is counted by rows: rows that are not posted yet, the hours and days
 * that the dates asked for cut through, and rows of other origins than the API. All of it is one statement's, and so
 * of one moment.
 */

/** What posting counts by. */
export const unitOf = (place: Place): number => (place.by === 'group' ? hourMs : dayMs);

const truncated = (unitMs: number): RawBuilder<Date> =>
  sql`date_trunc(${unitMs === hourMs ? 'hour' : 'day'}, transaction_date, 'UTC')`;

/** The dates that a listing asks for. */
export const spanOf = ({ startDate, endDate }: TransactionListing): Span => ({
  fromMs: startDate?.getTime() ?? Number.NEGATIVE_INFINITY,
  toMs: endDate === null ? Number.POSITIVE_INFINITY : endDate.getTime() + 1,
});

/** The rows of the place that are not posted yet, as a CTE `waiting` of `starts` and `membership_id`. */
export const waitingRows = (
  listing: TransactionListing,
  place: Place,
  span: Span,
): RawBuilder<unknown> => sql`
  waiting as materialized (
    select ${truncated(unitOf(place))} as starts, membership_id
    from unposted u
    cross join lateral (
      select group_id, membership_id, code, status, transaction_id, transaction_date
      from attribution
      where publisher_id = ${listing.publisherId} and attribution_id between u.recording_id and ${lastRowOf('u.recording_id')}
      offset 0
    ) a
    where u.publisher_id = ${listing.publisherId} and ${inGroups(listing)} and ${isIn(place)}
      and ${hasStatus(listing)} and ${isWithin(sql`transaction_date`, span)}
  )`;

/**
 * The members' days with rows under a code, those posted and those that wait, as CTEs `pair` and `day_of_member`:
 * of a member with many codes no other days are looked at.
 */
export const daysUnderCode = (
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
      where publisher_id = ${listing.publisherId} and membership_id = c.membership_id and ${isUnder(folded)}
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
 * How many rows each hour or day has, as CTEs `cell` and `bucket`, of `starts` and `n`.
 * @param countsCuts whether what is cut off is counted; otherwise it is there with none
 */
export function buckets(
  listing: TransactionListing,
  place: Place,
  { whole, cuts }: Divided,
  countsCuts: boolean,
): RawBuilder<unknown> {
  const unitMs = unitOf(place);
  const cells = [sql`select null::timestamptz as starts, 0 as n where false`];
  if (place.by === 'origin' || place.by === 'transactions') cells.push(countedByRows(listing, place));
  else {
    if (whole !== null)
      cells.push(
        postedCounts(listing, place, whole),
        sql`select starts, count(*) from waiting where ${isWithin(sql`starts`, whole)} group by starts`,
        ...otherOrigins(listing, place, whole),
      );
    for (const cut of cuts) cells.push(countsCuts ? cutCount(listing, place, cut) : cutDays(cut, unitMs));
  }
  return sql`
    cell as materialized (${sql.join(cells, sql` union all `)}),
    bucket as materialized (select starts, sum(n) as n from cell group by starts)`;
}

/** What posting counts of rows with the statuses asked for. */
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
  place: Exclude<Place, { by: 'origin' | 'transactions' }>,
  whole: Span,
): RawBuilder<unknown> {
  switch (place.by) {
    case 'group':
      return sql`
        select hour, ${countOf(listing)}
        from transaction_count
        where publisher_id = ${listing.publisherId} and ${inGroups(listing)} and ${isWithin(sql`hour`, whole)}`;
    case 'members':
      return sql`
        select day::timestamp at time zone 'UTC', ${countOf(listing)}
        from earning_rollup
        where publisher_id = ${listing.publisherId} and membership_id = any(${place.memberships}::uuid[])
          and day >= ${dayOf(whole.fromMs)} and day < ${dayOf(whole.toMs)}`;
    case 'code':
      return sql`select starts, n from pair where ${isWithin(sql`starts`, whole)}`;
  }
}

/** Rows from other origins than the API that nobody asked for, taken off what is counted whatever its origin. */
function otherOrigins(listing: TransactionListing, place: Place, whole: Span): RawBuilder<unknown>[] {
  const unasked: Origin[] = allOrigins.filter((origin) => !listing.origins.includes(origin));
  if (listing.origins.length === 0 || unasked.length === 0) return [];
  return [
    sql`
      select ${truncated(unitOf(place))}, -count(*)
      from attribution
      where publisher_id = ${listing.publisherId} and ${inGroups(listing)} and origin <> 'api'
        and origin = any(${unasked}::text[]) and ${isIn(place)} and ${hasStatus(listing)}
        and ${isWithin(sql`transaction_date`, whole)}
      group by 1`,
  ];
}

const countedByRows = (listing: TransactionListing, place: Place): RawBuilder<unknown> => sql`
  select ${truncated(unitOf(place))}, count(*)
  from attribution
  where ${asked(listing)} and ${inGroups(listing)} and ${isIn(place)}
  group by 1`;

/** What the dates asked for leave of one hour or day, counted by rows, posted or not. */
function cutCount(listing: TransactionListing, place: Place, cut: Span): RawBuilder<unknown> {
  const starts = moment(startOf(cut.fromMs, unitOf(place)));
  const rows = (among: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select count(*) as n
    from attribution
    where ${asked(listing)} and ${among} and ${isWithin(sql`transaction_date`, cut)}`;
  if (place.by !== 'code')
    return sql`
      select ${starts}, n
      from (${rows(place.by === 'group' ? inGroups(listing) : isIn(place))}) counted`;
  return sql`
    select d.starts, r.n
    from day_of_member d
    cross join lateral (${rows(sql`membership_id = d.membership_id and ${isUnder(place.folded)}`)}) r
    where d.starts = ${starts}`;
}

/** The day is looked at, but its counts say nothing about what is left of it. */
const cutDays = (cut: Span, unitMs: number): RawBuilder<unknown> =>
  sql`select ${moment(startOf(cut.fromMs, unitMs))}, 0`;
