import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { rowIdAt, timeOfRowId, toAttributionId } from '../../platform/ids.ts';
import type { PageKey, Pages } from '../../platform/page.ts';
import { bindingOf } from '../list/list-transactions.ts';
import { asked, inGroups, isIn, placeToLook, type TransactionListing } from '../list/listing.ts';
import { readAttributions } from '../read-attributions.ts';
import { type RowWithMeta, withMeta } from '../row-meta.ts';
import { readHorizon } from './read-horizon.ts';

export interface ChangeListing extends TransactionListing {
  /** Inclusive. */
  updatedSince: Date;
}

export interface ChangePage {
  rows: RowWithMeta[];
  /** Null when everything was read that changed up to now. */
  nextCursor: string | null;
}

/** Rows that a page looks at, of which filters leave some out: then it is short, and another one follows. */
const maxLookedAt = 10_000;

/** Place of a row in the order of changes: when it last changed, in milliseconds, and its id. */
interface Place {
  ms: number;
  id: AttributionId;
}

/** Part of a page that one of its two sources has. */
interface Found {
  places: Place[];
  /** Where the look ended, with more rows behind it; null when it came to the horizon. */
  end: Place | null;
}

const lowest = toAttributionId('00000000-0000-0000-0000-000000000000');

/**
 * Lists rows by when they last changed, the earliest first: when they were recorded, or their status or their buyer's id
 * became another one. No row is missed, however late what recorded or changed it was committed: a row that changes
 * during the walk comes once more, at its new place.
 * @throws Refusal InvalidCursor, MemberNotFound
 */
export async function listChanges(
  db: Db,
  pages: Pages,
  listing: ChangeListing,
  cursor: string | null,
): Promise<ChangePage> {
  const { publisherId, pageSize, updatedSince } = listing;
  const bound = ['changes', updatedSince.getTime(), bindingOf(listing)];
  const after = placeOf(pages.after(bound, cursor)) ?? { ms: updatedSince.getTime(), id: lowest };
  const place = await placeToLook(db, listing);
  const filters = sql`${asked(listing)} and ${inGroups(listing)} and ${isIn(place)}`;
  const horizon = await readHorizon(db, publisherId);
  if (after.ms >= horizon.getTime()) return { rows: [], nextCursor: null };
  const range = { after, horizon };
  const sources = [
    await findRecorded(db, listing, filters, range),
    await findChanged(db, listing, filters, range),
  ];
  const end = sources.flatMap((source) => source.end ?? []).sort(inOrder)[0] ?? null;
  const places = sources
    .flatMap((source) => source.places)
    .filter((place) => end === null || inOrder(place, end) <= 0)
    .sort(inOrder);
  const page = places.slice(0, pageSize);
  const last = places.length > pageSize ? page.at(-1) : end;
  const ids = page.map(({ id }) => id);
  const found = await readAttributions(
    db,
    publisherId,
    sql`select k.id as attribution_id from unnest(${ids}::uuid[]) as k (id)`,
    sql`a.attribution_id`,
  );
  const byId = new Map((await withMeta(db, publisherId, found)).map((row) => [row.attributionId, row]));
  return {
    // A row that changed since stands beyond the horizon, and comes there.
    rows: page.flatMap(({ ms, id }) => {
      const row = byId.get(id);
      return row?.meta.updatedAt.getTime() === ms ? [row] : [];
    }),
    nextCursor: last == null ? null : pages.cursorAt(bound, [String(last.ms), last.id]),
  };
}

const inOrder = (one: Place, other: Place): number =>
  one.ms - other.ms || (one.id < other.id ? -1 : Number(one.id > other.id));

function placeOf(key: PageKey | null): Place | null {
  if (key === null) return null;
  const [ms, id] = key;
  if (ms === undefined || id === undefined) throw new Error('a place has a time and an id');
  return { ms: Number(ms), id: toAttributionId(id) };
}

interface Range {
  after: Place;
  horizon: Date;
}

/** Finds rows that never changed: their ids begin with the time at which they were recorded. */
async function findRecorded(
  db: Db,
  { publisherId, pageSize }: ChangeListing,
  filters: RawBuilder<unknown>,
  { after, horizon }: Range,
): Promise<Found> {
  const { rows } = await sql<{ looked: number; last_id: AttributionId | null; ids: AttributionId[] }>`
    with looked as materialized (
      select publisher_id, attribution_id, group_id, membership_id, code, status, origin, transaction_id, transaction_date
      from attribution
      where publisher_id = ${publisherId} and ${recordedAfter(after)} and attribution_id < ${rowIdAt(horizon)}::uuid
      order by attribution_id
      limit (select ${maxLookedAt}::bigint)
    )
    select (select count(*)::integer from looked) as looked,
           (select attribution_id from looked order by attribution_id desc limit 1) as last_id,
           array(
             select attribution_id
             from looked
             where ${filters} and not exists (
               select 1
               from attribution_change h
               where h.publisher_id = ${publisherId} and h.attribution_id = looked.attribution_id
               offset 0
             )
             order by attribution_id
             limit ${pageSize + 1}
           ) as ids`.execute(db);
  const { looked = 0, last_id = null, ids = [] } = rows[0] ?? {};
  const places = ids.map((id) => ({ ms: timeOfRowId(id).getTime(), id }));
  const hasMore = looked === maxLookedAt && last_id !== null;
  return { places, end: hasMore ? { ms: timeOfRowId(last_id).getTime(), id: last_id } : null };
}

/** A condition on the ids of rows that were recorded after a place, or at its time with a higher id. */
function recordedAfter({ ms, id }: Place): RawBuilder<boolean> {
  const recordedMs = timeOfRowId(id).getTime();
  if (recordedMs === ms) return sql`attribution_id > ${id}::uuid`;
  return sql`attribution_id >= ${rowIdAt(new Date(recordedMs < ms ? ms : ms + 1))}::uuid`;
}

/** Finds rows that changed, by when they last did. */
async function findChanged(
  db: Db,
  { publisherId, pageSize }: ChangeListing,
  filters: RawBuilder<unknown>,
  { after, horizon }: Range,
): Promise<Found> {
  const { rows } = await sql<{
    looked: number;
    last_id: AttributionId | null;
    last_ms: string | null;
    ids: AttributionId[];
    times: string[];
  }>`
    with looked as materialized (
      select h.attribution_id, (extract(epoch from h.changed_at) * 1000)::bigint::text as ms
      from attribution_change h
      where h.publisher_id = ${publisherId} and h.changed_at < ${horizon}::timestamptz
        and (h.changed_at, h.attribution_id) > (${new Date(after.ms)}::timestamptz, ${after.id}::uuid)
      order by h.changed_at, h.attribution_id
      limit (select ${maxLookedAt}::bigint)
    ),
    found as materialized (
      select looked.attribution_id, looked.ms
      from looked
      cross join lateral (
        select 1
        from attribution
        where publisher_id = ${publisherId} and attribution_id = looked.attribution_id and ${filters}
        offset 0
      ) a
      order by looked.ms::bigint, looked.attribution_id
      limit ${pageSize + 1}
    )
    select (select count(*)::integer from looked) as looked,
           (select attribution_id from looked order by ms::bigint desc, attribution_id desc limit 1) as last_id,
           (select ms from looked order by ms::bigint desc, attribution_id desc limit 1) as last_ms,
           array(select attribution_id from found order by ms::bigint, attribution_id) as ids,
           array(select ms from found order by ms::bigint, attribution_id) as times`.execute(db);
  const { looked = 0, last_id = null, last_ms = null, ids = [], times = [] } = rows[0] ?? {};
  const places = ids.map((id, index) => ({ ms: Number(times[index]), id }));
  const hasMore = looked === maxLookedAt && last_id !== null;
  return { places, end: hasMore ? { ms: Number(last_ms), id: last_id } : null };
}
