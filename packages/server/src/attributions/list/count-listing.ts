import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { buckets, daysWithCode, spanOf, unitOf, unpostedRows } from './counts.ts';
import type { Scope, TransactionListing } from './listing.ts';
import { divide } from './spans.ts';

export async function countListing(db: Db, listing: TransactionListing, scope: Scope): Promise<number> {
  const { rows } = await sql<{ total_count: bigint }>`
    with ${counting(listing, scope)} select ${total} as total_count`.execute(db);
  return Number(rows[0]?.total_count);
}

/** Returns the CTEs that count a listing's rows by hour or day and provide the sum as `total`. */
export function counting(listing: TransactionListing, scope: Scope): RawBuilder<unknown> {
  const span = spanOf(listing);
  const parts = [unpostedRows(listing, scope, span)];
  if (scope.by === 'code') parts.push(daysWithCode(listing, scope.folded, span));
  parts.push(buckets(listing, scope, divide(span, unitOf(scope)), true));
  return sql.join(parts);
}

export const total: RawBuilder<bigint> = sql`(select coalesce(sum(n), 0)::bigint from bucket)`;
