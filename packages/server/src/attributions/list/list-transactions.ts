import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Pages } from '../../platform/page.ts';
import type { AttributionRow } from '../attribution-row.ts';
import { chooseScope, groupsOf, type TransactionListing } from './listing.ts';
import { keyOf, rowsAfter } from './page-by-cursor.ts';
import { pageByNumber } from './page-by-number.ts';

export type PageRequest =
  | { kind: 'cursor'; cursor: string | null }
  /** Counted from 1. */
  | { kind: 'number'; page: number };

export interface TransactionPage {
  rows: AttributionRow[];
  /** Null on the last page and on numbered pages. */
  nextCursor: string | null;
  /** Number of rows in the listing; null unless pages are numbered. */
  totalCount: number | null;
}

/**
 * Reads one page of a listing.
 * @throws Refusal InvalidCursor, MemberNotFound
 */
export async function listTransactions(
  db: Db,
  pages: Pages,
  requested: TransactionListing,
  page: PageRequest,
): Promise<TransactionPage> {
  if (page.kind === 'cursor') {
    const bound = cursorBinding(requested);
    const after = pages.after(bound, page.cursor);
    const listing = await withGroups(db, requested);
    const scope = await chooseScope(db, listing);
    const rows = await rowsAfter(db, listing, scope, after);
    return { ...pages.cut(bound, rows, listing.pageSize, keyOf), totalCount: null };
  }
  const listing = await withGroups(db, requested);
  const scope = await chooseScope(db, listing);
  return { ...(await pageByNumber(db, listing, scope, page.page)), nextCursor: null };
}

/** Replaces null with the ids of all groups, because rows are in order only within a group. */
const withGroups = async (db: Db, listing: TransactionListing): Promise<TransactionListing> =>
  listing.groupIds === null ? { ...listing, groupIds: await groupsOf(db, listing.publisherId) } : listing;

/**
 * Returns all values that determine a listing's rows and their order. A cursor is valid only for the values
 * it was created with.
 */
export function cursorBinding({
  publisherId,
  groupIds,
  startDate,
  endDate,
  origins,
  statuses,
  member,
  exactCode,
  transactionIds,
  hasRefund,
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
    ...(hasRefund === null ? [] : [hasRefund]),
  ];
}
