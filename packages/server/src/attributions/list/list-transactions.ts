import { type RawBuilder, sql } from 'kysely';
import { findMemberships, type MemberFilter } from '../../members/read/find-memberships.ts';
import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { toAttributionId } from '../../platform/ids.ts';
import type { PageKey, Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { AttributionRow } from '../attribution-row.ts';
import { readAttributions } from '../read-attributions.ts';
import type { Origin, TransactionStatus } from '../transaction-schema.ts';

export interface TransactionListing {
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

/** Which page of it. */
export type AskedPage =
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
 * @throws Refusal InvalidCursor, MemberNotFound
 */
export async function listTransactions(
  db: Db,
  pages: Pages,
  listing: TransactionListing,
  page: AskedPage,
): Promise<TransactionPage> {
  const { publisherId, pageSize, direction } = listing;
  const bound = bindingOf(listing);
  const after = page.kind === 'cursor' ? pages.after(bound, page.cursor) : null;
  const place = await placeToLook(db, listing);
  const keys = orderedKeys(listing, place, {
    after,
    // One more than is shown says whether another page follows.
    limit: page.kind === 'cursor' ? pageSize + 1 : pageSize,
    offset: page.kind === 'number' ? (page.page - 1) * pageSize : 0,
  });
  const rows = await readAttributions(db, publisherId, keys, order(direction, 'a'));
  return page.kind === 'cursor'
    ? { ...pages.cut(bound, rows, pageSize, keyOf), totalCount: null }
    : { rows, nextCursor: null, totalCount: await countRows(db, listing, place) };
}

/** A row's place: when the purchase was made, in milliseconds, and the row's id. */
const keyOf = ({ transactionDate, attributionId }: AttributionRow): PageKey => [
  String(transactionDate.getTime()),
  attributionId,
];

function beyond(
  [dateMs, attributionId]: PageKey,
  direction: TransactionListing['direction'],
): RawBuilder<unknown> {
  if (dateMs === undefined || attributionId === undefined) throw new Error('a place has a date and an id');
  return sql`
    and (transaction_date, attribution_id) ${direction === 'asc' ? sql`>` : sql`<`}
        (${new Date(Number(dateMs))}::timestamptz, ${toAttributionId(attributionId)}::uuid)`;
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

/** Whose rows to look at: an index range, or one for each of several memberships. */
type Place = { range: RawBuilder<unknown> } | { memberships: readonly MembershipId[] };

async function placeToLook(
  db: Db,
  { publisherId, groupId, member, exactCode }: TransactionListing,
): Promise<Place> {
  if (member === null) return { range: sql`group_id = ${groupId}` };
  if (member.by === 'code' && exactCode) {
    return { range: sql`group_id = ${groupId} and lower(code) = ${foldCode(member.value)}` };
  }
  const memberships = await findMemberships(db, publisherId, groupId, member);
  if (memberships.length === 0) {
    throw new Refusal('MemberNotFound', `No member of the creator group has this ${member.by}.`);
  }
  const [only, ...others] = memberships;
  return others.length === 0 ? { range: sql`membership_id = ${only}::uuid` } : { memberships };
}

/** The first rows in order, straight from an index; of several memberships the first rows of each. */
function orderedKeys(
  listing: TransactionListing,
  place: Place,
  { after, limit, offset }: { after: PageKey | null; limit: number; offset: number },
): RawBuilder<unknown> {
  const sorted = order(listing.direction);
  const rowsIn = (range: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select attribution_id, transaction_date
    from attribution
    where ${conditions(listing, range)} ${after === null ? sql`` : beyond(after, listing.direction)}
    order by ${sorted}`;
  if ('range' in place) return sql`${rowsIn(place.range)} limit ${limit} offset ${offset}`;
  return sql`
    select attribution_id, transaction_date
    from unnest(${place.memberships}::uuid[]) as one (id)
    cross join lateral (${rowsIn(sql`membership_id = one.id`)} limit ${limit + offset}) first_rows
    order by ${sorted}
    limit ${limit} offset ${offset}`;
}

async function countRows(db: Db, listing: TransactionListing, place: Place): Promise<number> {
  const range = 'range' in place ? place.range : sql`membership_id = any(${place.memberships}::uuid[])`;
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total from attribution where ${conditions(listing, range)}`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

function conditions(
  { publisherId, startDate, endDate, origins, statuses }: TransactionListing,
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
