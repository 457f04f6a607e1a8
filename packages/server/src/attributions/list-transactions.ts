import { type RawBuilder, sql } from 'kysely';
import { findMemberships, type MemberFilter } from '../members/find-memberships.ts';
import { foldCode } from '../members/resolve-codes.ts';
import type { Db } from '../platform/database/database.ts';
import { ApiError } from '../platform/http/api-error.ts';
import type { AttributionRow } from './attribution-row.ts';
import { readCursor, writeCursor } from './list-cursor.ts';
import { readAttributions } from './read-attributions.ts';
import type { Origin, TransactionStatus } from './transaction-schema.ts';

export interface Listing {
  publisherId: string;
  groupId: string;
  /** Inclusive. */
  startDate: Date | null;
  /** Inclusive. */
  endDate: Date | null;
  /** Empty: all. */
  origins: readonly Origin[];
  /** Empty: all. */
  statuses: readonly TransactionStatus[];
  member: MemberFilter | null;
  /** With a code filter: rows under exactly this code, instead of all rows of its member. */
  exactCode: boolean;
  direction: 'asc' | 'desc';
  pageSize: number;
}

export type Page =
  | { kind: 'cursor'; cursor: string | null }
  /** Offset pages, counted from 1. */
  | { kind: 'number'; page: number };

export interface TransactionPage {
  rows: AttributionRow[];
  /** Null on the last page, and in offset mode. */
  nextCursor: string | null;
  /** All rows of the listing; in offset mode only. */
  totalCount: number | null;
}

/**
 * One page of a listing. By cursor a page costs the same wherever it is: it starts in the index where the
 * last one ended, and never skips or repeats a row that was there throughout.
 * @throws ApiError InvalidCursor, MemberNotFound
 */
export async function listTransactions(
  db: Db,
  cursorSecret: Buffer,
  listing: Listing,
  page: Page,
): Promise<TransactionPage> {
  const { publisherId, pageSize, direction } = listing;
  const bound = bindingOf(listing);
  const after =
    page.kind === 'cursor' && page.cursor !== null ? readCursor(cursorSecret, bound, page.cursor) : null;
  if (page.kind === 'cursor' && page.cursor !== null && after === null) {
    throw new ApiError(
      'InvalidCursor',
      'The cursor was not issued for this listing; start again without one.',
    );
  }
  const places = await placesToLook(db, listing);
  if (places.length === 0)
    return { rows: [], nextCursor: null, totalCount: page.kind === 'number' ? 0 : null };

  const beyond =
    after === null
      ? sql``
      : sql`and (transaction_date, attribution_id) ${direction === 'asc' ? sql`>` : sql`<`}
            (${new Date(after.transactionDateMs)}::timestamptz, ${after.attributionId}::uuid)`;
  const offset = page.kind === 'number' ? (page.page - 1) * pageSize : 0;
  const keys = orderedKeys(listing, places, beyond, pageSize + 1, offset);
  const rows = await readAttributions(db, publisherId, keys, order(direction, 'a'));
  const totalCount = page.kind === 'number' ? await countRows(db, listing, places) : null;

  const more = rows.length > pageSize;
  if (more) rows.pop();
  const last = rows.at(-1);
  const nextCursor =
    more && last !== undefined && page.kind === 'cursor'
      ? writeCursor(cursorSecret, bound, {
          transactionDateMs: last.transactionDate.getTime(),
          attributionId: last.attributionId,
        })
      : null;
  return { rows, nextCursor, totalCount };
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
}: Listing): string {
  return JSON.stringify([
    publisherId,
    groupId,
    startDate?.getTime() ?? null,
    endDate?.getTime() ?? null,
    [...new Set(origins)].sort(),
    [...new Set(statuses)].sort(),
    member && [member.by, member.by === 'code' ? foldCode(member.value) : member.value],
    exactCode,
    direction,
  ]);
}

/** The conditions, one for each index range that may hold rows of the listing. */
async function placesToLook(
  db: Db,
  { publisherId, groupId, member, exactCode }: Listing,
): Promise<RawBuilder<unknown>[]> {
  if (member === null) return [sql`group_id = ${groupId}`];
  if (member.by === 'code' && exactCode) {
    return [sql`group_id = ${groupId} and lower(code) = ${foldCode(member.value)}`];
  }
  const memberships = await findMemberships(db, publisherId, groupId, member);
  if (memberships.length === 0) {
    throw new ApiError('MemberNotFound', `No member of the creator group has this ${member.by}.`);
  }
  return memberships.map((membershipId) => sql`membership_id = ${membershipId}::uuid`);
}

/** Each place gives its first rows in order, straight from an index; of those the first are taken. */
function orderedKeys(
  listing: Listing,
  places: RawBuilder<unknown>[],
  beyond: RawBuilder<unknown>,
  limit: number,
  offset: number,
): RawBuilder<unknown> {
  const sorted = order(listing.direction);
  const [only, ...others] = places.map(
    (place) => sql`
      select attribution_id, transaction_date
      from attribution
      where ${conditions(listing, place)} ${beyond}
      order by ${sorted}`,
  );
  if (only !== undefined && others.length === 0) return sql`${only} limit ${limit} offset ${offset}`;
  const parts = [only, ...others].map((part) => sql`(${part} limit ${limit + offset})`);
  return sql`${sql.join(parts, sql` union all `)} order by ${sorted} limit ${limit} offset ${offset}`;
}

async function countRows(db: Db, listing: Listing, places: RawBuilder<unknown>[]): Promise<number> {
  const counts = places.map(
    (place) => sql`select count(*) as n from attribution where ${conditions(listing, place)}`,
  );
  const { rows } = await sql<{ total: bigint }>`
    select sum(n)::bigint as total from (${sql.join(counts, sql` union all `)}) counts`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

function conditions(
  { publisherId, startDate, endDate, origins, statuses }: Listing,
  place: RawBuilder<unknown>,
) {
  const all = [sql`publisher_id = ${publisherId}`, place];
  if (startDate !== null) all.push(sql`transaction_date >= ${startDate}`);
  if (endDate !== null) all.push(sql`transaction_date <= ${endDate}`);
  if (statuses.length > 0) {
    all.push(sql`status = any(${[...statuses]}::text[])`);
    // Said once more in the words of the partial indexes, which hold the few rows that are not Normal.
    if (!statuses.includes('Normal')) all.push(sql`status <> 'Normal'`);
  }
  if (origins.length > 0) {
    all.push(sql`origin = any(${[...origins]}::text[])`);
    if (!origins.includes('api')) all.push(sql`origin <> 'api'`);
  }
  return sql.join(all, sql` and `);
}

function order(direction: 'asc' | 'desc', table?: 'a'): RawBuilder<unknown> {
  const prefix = table === undefined ? sql`` : sql`a.`;
  return direction === 'asc'
    ? sql`${prefix}transaction_date, ${prefix}attribution_id`
    : sql`${prefix}transaction_date desc, ${prefix}attribution_id desc`;
}
