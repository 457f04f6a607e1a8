import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { PageKey } from '../../platform/page.ts';
import type { AttributionRow } from '../attribution-row.ts';
import { readAttributions } from '../read-attributions.ts';
import { buckets, daysWithCode, spanOf, unitOf, unpostedRows } from './counts.ts';
import { rowsInOrder, rowsWithCode } from './keys.ts';
import { order, type Scope, type TransactionListing } from './listing.ts';
import { divide, type Span } from './spans.ts';

/**
 * Reads the rows after a key: one more row than the page shows. Every page costs the same, because reading
 * resumes at the point in the index where the previous page ended. A row that exists from the first read to
 * the last is neither skipped nor repeated.
 */
export function rowsAfter(
  db: Db,
  listing: TransactionListing,
  scope: Scope,
  after: PageKey | null,
): Promise<AttributionRow[]> {
  const { publisherId, direction } = listing;
  return readAttributions(db, publisherId, keysAfter(listing, scope, after), order(direction, 'a'));
}

/** Returns a subquery that selects the keys (attribution_id and transaction_date) of the rows after a key. */
export function keysAfter(
  listing: TransactionListing,
  scope: Scope,
  after: PageKey | null,
): RawBuilder<unknown> {
  const limit = listing.pageSize + 1; // the extra row shows that another page follows
  return scope.by === 'code'
    ? nextWithCode(listing, scope, after, limit)
    : rowsInOrder(listing, scope, { after, limit: hiddenLimit(limit) });
}

/**
 * Hides a limit from the planner. If the limit exceeded the planner's row estimate, the planner would read
 * and sort all rows in the scope, even if there were far more rows than estimated.
 */
export const hiddenLimit = (limit: number): RawBuilder<number> => sql`(select ${limit}::bigint)`;

/** Returns the key of a row: the time of the purchase, in milliseconds, and the row's id. */
export const keyOf = ({ transactionDate, attributionId }: AttributionRow): PageKey => [
  String(transactionDate.getTime()),
  attributionId,
];

/** Selects the next rows with a code, from just enough days to fill a page. */
function nextWithCode(
  listing: TransactionListing,
  scope: Extract<Scope, { by: 'code' }>,
  after: PageKey | null,
  limit: number,
): RawBuilder<unknown> {
  const { span, complete } = spanAfter(listing, after);
  const divided = divide(span, unitOf(scope), complete);
  const ordered = listing.direction === 'asc' ? sql`starts` : sql`starts desc`;
  return sql`
    with ${unpostedRows(listing, scope, span)}, ${daysWithCode(listing, scope.folded, span)},
    ${buckets(listing, scope, divided, false)},
    chosen as materialized (
      select starts
      from (select starts, sum(n) over (order by ${ordered}) - n as before from bucket) day
      where before < ${limit}
    )
    ${rowsWithCode(listing, scope.folded, { after, limit: hiddenLimit(limit) })}
    limit ${limit}`;
}

/**
 * Returns the span that remains after a key, and the part of it where every row comes after the key. The
 * millisecond of the key itself may also contain rows before the key.
 */
function spanAfter(listing: TransactionListing, after: PageKey | null): { span: Span; complete: Span } {
  const span = spanOf(listing);
  if (after === null) return { span, complete: span };
  const atMs = Number(after[0]);
  return listing.direction === 'asc'
    ? { span: { ...span, fromMs: atMs }, complete: { ...span, fromMs: atMs + 1 } }
    : { span: { ...span, toMs: atMs + 1 }, complete: { ...span, toMs: atMs } };
}
