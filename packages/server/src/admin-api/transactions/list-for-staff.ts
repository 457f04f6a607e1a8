import { sql } from 'kysely';
import { countListing } from '../../attributions/list/count-listing.ts';
import { order } from '../../attributions/list/listing.ts';
import { keyOf } from '../../attributions/list/page-by-cursor.ts';
import { readAttributions } from '../../attributions/read-attributions.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Pages } from '../../platform/page.ts';
import { type Credited, withCreators } from './credited.ts';
import { bindingOf, partsOf, type StaffListing } from './staff-listing.ts';

export interface StaffPage {
  rows: Credited[];
  nextCursor: string | null;
}

/**
 * One page of purchases, of one group or of all, with who is credited.
 * @throws Refusal InvalidCursor, InvalidGroup
 */
export async function listForStaff(
  db: Db,
  pages: Pages,
  asked: StaffListing,
  cursor: string | null,
): Promise<StaffPage> {
  const bound = bindingOf(asked);
  const after = pages.after(bound, cursor);
  const { keys } = await partsOf(db, asked);
  const found = keys(after);
  if (found === null) return { rows: [], nextCursor: null };
  const rows = await readAttributions(db, asked.publisherId, found, order(asked.direction, 'a'));
  const page = pages.cut(bound, rows, asked.pageSize, keyOf);
  return { ...page, rows: await withCreators(db, asked.publisherId, page.rows) };
}

/** Rows of one purchase, or of other origins than the API, are counted one by one: so many, and no more. */
const maxCounted = 250;

/** How many rows there are, or at least are. */
export interface Total {
  count: number;
  isExact: boolean;
}

/** @throws Refusal InvalidGroup */
export async function countForStaff(db: Db, asked: StaffListing): Promise<Total> {
  const { ofGroups, keys } = await partsOf(db, { ...asked, pageSize: maxCounted });
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
