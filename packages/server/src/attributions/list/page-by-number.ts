import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { type CountedRows, readCounted } from '../read-attributions.ts';
import { counting, total } from './count-listing.ts';
import { unitOf } from './counts.ts';
import { datesInOrder, rowsInOrder, rowsUnderCode } from './keys.ts';
import { order, type Place, type TransactionListing } from './listing.ts';
import { hourMs } from './spans.ts';

/**
 * Page `page` of a listing, from 1, and how many rows the listing has, both as of one moment. Whole hours or days that
 * lie before it are skipped by their counts, and rows only within the first that it begins in.
 */
export function pageByNumber(
  db: Db,
  listing: TransactionListing,
  place: Place,
  page: number,
): Promise<CountedRows> {
  const { publisherId, pageSize, direction } = listing;
  const offset = (page - 1) * pageSize;
  const keys =
    place.by === 'code' ? pageUnderCode(listing, place, offset) : pageInOrder(listing, place, offset);
  return readCounted(db, publisherId, {
    parts: counting(listing, place),
    keys,
    total,
    order: order(direction, 'r'),
  });
}

/** Hours or days with how many rows come before each. */
const inSequence = ({ direction }: TransactionListing): RawBuilder<unknown> => sql`
  (select starts, n, sum(n) over (order by ${direction === 'asc' ? sql`starts` : sql`starts desc`}) - n as before
   from bucket) counted`;

/**
 * Of the place's rows those from where the page's hour or day begins, less what comes before the page in that: passed by
 * in an index of dates, up to the moment at which the page begins, and of that moment's rows one by one.
 */
function pageInOrder(
  listing: TransactionListing,
  place: Exclude<Place, { by: 'code' }>,
  offset: number,
): RawBuilder<unknown> {
  const { pageSize, direction } = listing;
  const isAscending = direction === 'asc';
  const fromUnit = isAscending
    ? sql`and transaction_date >= first.starts`
    : sql`and transaction_date < first.starts + ${unitOf(place) / hourMs} * interval '1 hour'`;
  const fromMoment = isAscending
    ? sql`and transaction_date >= begin.at`
    : sql`and transaction_date <= begin.at`;
  return sql`
    select k.attribution_id, k.transaction_date
    from (
      select (${offset} - before)::bigint as skipped, starts
      from ${inSequence(listing)}
      where before <= ${offset} and before + n > ${offset}
    ) first
    cross join lateral (
      with passed as materialized (
        ${datesInOrder(listing, place, { from: fromUnit, limit: sql`first.skipped + 1` })}
      )
      select at, (select count(*) - 1 from passed where transaction_date = at) as skipped
      from (select ${isAscending ? sql`max` : sql`min`}(transaction_date) as at from passed) last_passed
    ) begin
    cross join lateral (
      select attribution_id, transaction_date
      from (
        ${rowsInOrder(listing, place, { after: null, from: fromMoment, limit: sql`${pageSize} + begin.skipped` })}
      ) reached
      order by ${order(direction)}
      limit ${pageSize} offset begin.skipped
    ) k`;
}

/** The same of a code's days, of which only those are looked at that the page reaches. */
function pageUnderCode(
  listing: TransactionListing,
  place: Extract<Place, { by: 'code' }>,
  offset: number,
): RawBuilder<unknown> {
  const { pageSize } = listing;
  const skipped = sql`(select (${offset} - coalesce(min(before), ${offset}))::bigint from chosen)`;
  return sql`
    with chosen as materialized (
      select starts, before
      from ${inSequence(listing)}
      where before < ${offset + pageSize} and before + n > ${offset}
    )
    ${rowsUnderCode(listing, place.folded, { after: null, limit: sql`${pageSize} + ${skipped}` })}
    limit ${pageSize} offset ${skipped}`;
}
