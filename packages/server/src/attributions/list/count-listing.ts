import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { buckets, daysUnderCode, spanOf, unitOf, waitingRows } from './counts.ts';
import type { Place, TransactionListing } from './listing.ts';
import { divide } from './spans.ts';

/** How many rows a listing has. */
export async function countListing(db: Db, listing: TransactionListing, place: Place): Promise<number> {
  const { rows } = await sql<{ total_count: bigint }>`
    with ${counting(listing, place)} select ${total} as total_count`.execute(db);
  return Number(rows[0]?.total_count);
}

/** CTEs that count a listing's rows by hours or days, for `total`. */
export function counting(listing: TransactionListing, place: Place): RawBuilder<unknown> {
  const span = spanOf(listing);
  const parts = [waitingRows(listing, place, span)];
  if (place.by === 'code') parts.push(daysUnderCode(listing, place.folded, span));
  parts.push(buckets(listing, place, divide(span, unitOf(place)), true));
  return sql.join(parts);
}

export const total: RawBuilder<bigint> = sql`(select coalesce(sum(n), 0)::bigint from bucket)`;
