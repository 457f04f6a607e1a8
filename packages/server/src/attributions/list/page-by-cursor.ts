import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { PageKey } from '../../platform/page.ts';
import type { AttributionRow } from '../attribution-row.ts';
import { readAttributions } from '../read-attributions.ts';
import { buckets, daysUnderCode, spanOf, unitOf, waitingRows } from './counts.ts';
import { rowsInOrder, rowsUnderCode } from './keys.ts';
import { order, type Place, type TransactionListing } from './listing.ts';
import { divide, type Span } from './spans.ts';

/**
 * The first rows after a place, and one more than a page shows. A page costs the same wherever it is: it starts in the
 * index where the last one ended, and never skips or repeats a row that was there throughout.
 */
export function rowsAfter(
  db: Db,
  listing: TransactionListing,
  place: Place,
  after: PageKey | null,
): Promise<AttributionRow[]> {
  const { publisherId, direction } = listing;
  return readAttributions(db, publisherId, keysAfter(listing, place, after), order(direction, 'a'));
}

/** The keys of the same rows, as a subquery of attribution_id and transaction_date. */
export function keysAfter(
  listing: TransactionListing,
  place: Place,
  after: PageKey | null,
): RawBuilder<unknown> {
  const limit = listing.pageSize + 1; // says whether another page follows
  return place.by === 'code'
    ? nextUnderCode(listing, place, after, limit)
    : rowsInOrder(listing, place, { after, limit: unplanned(limit) });
}

/**
 * A limit that the planner does not know: were it more rows than the planner expects, it would read and sort all rows
 * of the place, however many they are by now.
 */
export const unplanned = (limit: number): RawBuilder<number> => sql`(select ${limit}::bigint)`;

/** A row's place: when the purchase was made, in milliseconds, and the row's id. */
export const keyOf = ({ transactionDate, attributionId }: AttributionRow): PageKey => [
  String(transactionDate.getTime()),
  attributionId,
];

/** The code's next days with rows enough. */
function nextUnderCode(
  listing: TransactionListing,
  place: Extract<Place, { by: 'code' }>,
  after: PageKey | null,
  limit: number,
): RawBuilder<unknown> {
  const { span, sure } = spanAfter(listing, after);
  const divided = divide(span, unitOf(place), sure);
  const ordered = listing.direction === 'asc' ? sql`starts` : sql`starts desc`;
  return sql`
    with ${waitingRows(listing, place, span)}, ${daysUnderCode(listing, place.folded, span)},
    ${buckets(listing, place, divided, false)},
    chosen as materialized (
      select starts
      from (select starts, sum(n) over (order by ${ordered}) - n as before from bucket) day
      where before < ${limit}
    )
    ${rowsUnderCode(listing, place.folded, { after, limit: unplanned(limit) })}
    limit ${limit}`;
}

/** What is left of the dates asked for; of the place's own millisecond some rows may lie before it. */
function spanAfter(listing: TransactionListing, after: PageKey | null): { span: Span; sure: Span } {
  const span = spanOf(listing);
  if (after === null) return { span, sure: span };
  const atMs = Number(after[0]);
  return listing.direction === 'asc'
    ? { span: { ...span, fromMs: atMs }, sure: { ...span, fromMs: atMs + 1 } }
    : { span: { ...span, toMs: atMs + 1 }, sure: { ...span, toMs: atMs } };
}
