import { sql } from 'kysely';
import { countListing } from '../../attributions/list/count-listing.ts';
import { order } from '../../attributions/list/listing.ts';
import { keyOf } from '../../attributions/list/page-by-cursor.ts';
import { readAttributions } from '../../attributions/read-attributions.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Pages } from '../../platform/page.ts';
import { type Credited, withCreators } from './credited.ts';
import { cursorScopeOf, partsOf, type StaffListing } from './staff-listing.ts';

export interface StaffPage {
  rows: Credited[];
  nextCursor: string | null;
}

/**
 * Lists one page of purchase rows, in one group or all groups, with the credited creators.
 * @throws Refusal InvalidCursor, InvalidGroup
 */
export async function listForStaff(
  db: Db,
  pages: Pages,
  listing: StaffListing,
  cursor: string | null,
): Promise<StaffPage> {
  const cursorScope = cursorScopeOf(listing);
  const after = pages.after(cursorScope, cursor);
  const { keys } = await partsOf(db, listing);
  const found = keys(after);
  if (found === null) return { rows: [], nextCursor: null };
  const rows = await readAttributions(db, listing.publisherId, found, order(listing.direction, 'a'));
  const page = pages.cut(cursorScope, rows, listing.pageSize, keyOf);
  return { ...page, rows: await withCreators(db, listing.publisherId, page.rows) };
}

/**
 * Count limit for listings without stored counts: the rows of one purchase, or rows with an origin other than
 * the API.
 */
const maxCounted = 250;

/** Number of rows; a lower bound when the number is not exact. */
export interface Total {
  count: number;
  isExact: boolean;
}

/**
 * Counts the rows of a listing.
 * @throws Refusal InvalidGroup
 */
export async function countForStaff(db: Db, staffListing: StaffListing): Promise<Total> {
  const { ofGroups, keys } = await partsOf(db, { ...staffListing, pageSize: maxCounted });
  if (ofGroups !== null) {
    let count = 0;
    for (const { listing, scope } of ofGroups) count += await countListing(db, listing, scope);
    return { count, isExact: true };
  }
  const found = keys(null);
  if (found === null) return { count: 0, isExact: true };
  const { rows } = await sql<{ n: bigint }>`select count(*) as n from (${found}) k`.execute(db);
  const count = Number(rows[0]?.n ?? 0);
  return { count: Math.min(count, maxCounted), isExact: count <= maxCounted };
}
