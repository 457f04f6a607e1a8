import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Pages } from '../../platform/page.ts';
import type { AttributionRow } from '../attribution-row.ts';
import { groupsOf, placeToLook, type TransactionListing } from './listing.ts';
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
  asked: TransactionListing,
  page: AskedPage,
): Promise<TransactionPage> {
  if (page.kind === 'cursor') {
    const bound = bindingOf(asked);
    const after = pages.after(bound, page.cursor);
    const listing = await withGroups(db, asked);
    const place = await placeToLook(db, listing);
    const rows = await rowsAfter(db, listing, place, after);
    return { ...pages.cut(bound, rows, listing.pageSize, keyOf), totalCount: null };
  }
  const listing = await withGroups(db, asked);
  const place = await placeToLook(db, listing);
  return { ...(await pageByNumber(db, listing, place, page.page)), nextCursor: null };
}

/** Names all groups where all are asked for: each has its rows in order. */
const withGroups = async (db: Db, listing: TransactionListing): Promise<TransactionListing> =>
  listing.groupIds === null ? { ...listing, groupIds: await groupsOf(db, listing.publisherId) } : listing;

/** Everything that decides which rows a listing has and in what order; a cursor fits this alone. */
export function bindingOf({
  publisherId,
  groupIds,
  startDate,
  endDate,
  origins,
  statuses,
  member,
  exactCode,
  transactionIds,
  direction,
}: TransactionListing): unknown {
  return [
    'transactions',
    publisherId,
    groupIds?.length === 1 ? groupIds[0] : '*',
    startDate?.getTime() ?? null,
    endDate?.getTime() ?? null,
    [...new Set(origins)].sort(),
    [...new Set(statuses)].sort(),
    member && [member.by, member.by === 'code' ? foldCode(member.value) : member.value],
    exactCode,
    [...new Set(transactionIds)].sort(),
    direction,
  ];
}
