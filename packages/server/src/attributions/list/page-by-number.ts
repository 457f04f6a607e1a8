import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { type CountedRows, readCounted } from '../read-attributions.ts';
import { counting, total } from './count-listing.ts';
import { unitOf } from './counts.ts';
import { datesInOrder, rowsInOrder, rowsWithCode } from './keys.ts';
import { order, type Scope, type TransactionListing } from './listing.ts';
import { hourMs } from './spans.ts';

/**
 * Reads a page of a listing by its number, counted from 1, and counts the listing's rows in the same
 * snapshot. Whole hours or days before the page are skipped using their counts. Single rows are skipped only
 * within the hour or day where the page begins.
 */
export function pageByNumber(
  db: Db,
  listing: TransactionListing,
  scope: Scope,
  page: number,
): Promise<CountedRows> {
  const { publisherId, pageSize, direction } = listing;
  const offset = (page - 1) * pageSize;
  const keys =
    scope.by === 'code' ? pageWithCode(listing, scope, offset) : pageInOrder(listing, scope, offset);
  return readCounted(db, publisherId, {
    parts: counting(listing, scope),
    keys,
    total,
    order: order(direction, 'r'),
  });
}

const inSequence = ({ direction }: TransactionListing): RawBuilder<unknown> => sql`
  (select starts, n, sum(n) over (order by ${direction === 'asc' ? sql`starts` : sql`starts desc`}) - n as before
   from bucket) counted`;

/**
 * Selects a page of the rows in a scope, starting with the hour or day where the page begins. Rows that
 * precede the page within that hour or day are skipped using an index of dates, up to the timestamp at which
 * the page begins. Rows with exactly that timestamp are skipped one by one.
 */
function pageInOrder(
  listing: TransactionListing,
  scope: Exclude<Scope, { by: 'code' }>,
  offset: number,
): RawBuilder<unknown> {
  const { pageSize, direction } = listing;
  const isAscending = direction === 'asc';
  const fromUnit = isAscending
    ? sql`and transaction_date >= first.starts`
    : sql`and transaction_date < first.starts + ${unitOf(scope) / hourMs} * interval '1 hour'`;
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
        ${datesInOrder(listing, scope, { from: fromUnit, limit: sql`first.skipped + 1` })}
      )
      select at, (select count(*) - 1 from passed where transaction_date = at) as skipped
      from (select ${isAscending ? sql`max` : sql`min`}(transaction_date) as at from passed) last_passed
    ) begin
    cross join lateral (
      select attribution_id, transaction_date
      from (
        ${rowsInOrder(listing, scope, { after: null, from: fromMoment, limit: sql`${pageSize} + begin.skipped` })}
      ) reached
      order by ${order(direction)}
      limit ${pageSize} offset begin.skipped
    ) k`;
}

/** Selects a page of the rows with a code. Reads only the days that the page covers. */
function pageWithCode(
  listing: TransactionListing,
  scope: Extract<Scope, { by: 'code' }>,
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
    ${rowsWithCode(listing, scope.folded, { after: null, limit: sql`${pageSize} + ${skipped}` })}
    limit ${pageSize} offset ${skipped}`;
}
