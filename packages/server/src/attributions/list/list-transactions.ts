import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Pages } from '../../platform/page.ts';
import type { AttributionRow } from '../attribution-row.ts';
import { placeToLook, type TransactionListing } from './listing.ts';
import { keyOf, rowsAfter } from './page-by-cursor.ts';
import { pageByNumber } from './page-by-number.ts';

/** Which page of it. */
export type AskedPage =
  | { kind: 'cursor'; cursor: string | null }
  /** Counted from 1. */
  | { kind: 'number'; page: number };

export interface TransactionPage {
  rows: AttributionRow[];
  /** Null on the last page, and of numbered pages. */
  nextCursor: string | null;
  /** All rows of the listing; of numbered pages only. */
  totalCount: number | null;
}

/**
 * One page of a listing.
 * @throws Refusal InvalidCursor, MemberNotFound
 */
export async function listTransactions(
  db: Db,
  pages: Pages,
  listing: TransactionListing,
  page: AskedPage,
): Promise<TransactionPage> {
  if (page.kind === 'cursor') {
    const bound = bindingOf(listing);
    const after = pages.after(bound, page.cursor);
    const place = await placeToLook(db, listing);
    const rows = await rowsAfter(db, listing, place, after);
    return { ...pages.cut(bound, rows, listing.pageSize, keyOf), totalCount: null };
  }
  const place = await placeToLook(db, listing);
  return { ...(await pageByNumber(db, listing, place, page.page)), nextCursor: null };
}

/** Everything that decides which rows a listing has and in what order; a cursor fits this alone. */
function bindingOf({
  publisherId,
  groupId,
  startDate,
  endDate,
  origins,
  statuses,
  member,
  exactCode,
  direction,
}: TransactionListing): unknown {
  return [
    'transactions',
    publisherId,
    groupId,
    startDate?.getTime() ?? null,
    endDate?.getTime() ?? null,
    [...new Set(origins)].sort(),
    [...new Set(statuses)].sort(),
    member && [member.by, member.by === 'code' ? foldCode(member.value) : member.value],
    exactCode,
    direction,
  ];
}
