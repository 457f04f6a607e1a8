import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { rowIdAt, timeOfRowId, toAttributionId } from '../../platform/ids.ts';
import type { PageKey, Pages } from '../../platform/page.ts';
import { cursorBinding } from '../list/list-transactions.ts';
import { chooseScope, inGroups, inScope, matchesFilters, type TransactionListing } from '../list/listing.ts';
import { readAttributions } from '../read-attributions.ts';
import { type RowWithMeta, withMeta } from '../row-meta.ts';
import { readHorizon } from './read-horizon.ts';

export interface ChangeListing extends TransactionListing {
  /** Inclusive. */
  updatedSince: Date;
}

export interface ChangePage {
  rows: RowWithMeta[];
  nextCursor: string | null;
}

/**
 * Maximum rows scanned for one page. Filters may drop some of these rows, so a page can be short even though
 * more pages follow.
 */
const maxScannedRows = 10_000;

/**
 * Position of a row in the order of changes: the time of the row's last change, in milliseconds, and the
 * row's id.
 */
interface Position {
  ms: number;
  id: AttributionId;
}

interface Found {
  positions: Position[];
  /** Last row scanned if more rows follow; null if the scan reached the horizon. */
  end: Position | null;
}

const lowestId = toAttributionId('00000000-0000-0000-0000-000000000000');

/**
 * Lists rows by the time of their last change, earliest first. Recording a row, changing its status and
 * changing its buyer all count as changes. No row is missed, even one that was committed late. A row that
 * changes between two pages appears again at its new position.
 * @throws Refusal InvalidCursor, MemberNotFound
 */
export async function listChanges(
  db: Db,
  pages: Pages,
  listing: ChangeListing,
  cursor: string | null,
): Promise<ChangePage> {
  const { publisherId, pageSize, updatedSince } = listing;
  const bound = ['changes', updatedSince.getTime(), cursorBinding(listing)];
  const after = positionOf(pages.after(bound, cursor)) ?? { ms: updatedSince.getTime(), id: lowestId };
  const scope = await chooseScope(db, listing);
  const filters = sql`${matchesFilters(listing)} and ${inGroups(listing)} and ${inScope(scope)}`;
  const horizon = await readHorizon(db, publisherId);
  if (after.ms >= horizon.getTime()) return { rows: [], nextCursor: null };
  const range = { after, horizon };
  const sources = [
    await findRecorded(db, listing, filters, range),
    await findChanged(db, listing, filters, range),
  ];
  const end = sources.flatMap((source) => source.end ?? []).sort(inOrder)[0] ?? null;
  const positions = sources
    .flatMap((source) => source.positions)
    .filter((position) => end === null || inOrder(position, end) <= 0)
    .sort(inOrder);
  const page = positions.slice(0, pageSize);
  const last = positions.length > pageSize ? page.at(-1) : end;
  const ids = page.map(({ id }) => id);
  const found = await readAttributions(
    db,
    publisherId,
    sql`select k.id as attribution_id from unnest(${ids}::uuid[]) as k (id)`,
    sql`a.attribution_id`,
  );
  const byId = new Map((await withMeta(db, publisherId, found)).map((row) => [row.attributionId, row]));
  return {
    // A row that has changed since the scan is now past the horizon and appears on a later page.
    rows: page.flatMap(({ ms, id }) => {
      const row = byId.get(id);
      return row?.meta.updatedAt.getTime() === ms ? [row] : [];
    }),
    nextCursor: last == null ? null : pages.cursorAt(bound, [String(last.ms), last.id]),
  };
}

const inOrder = (one: Position, other: Position): number =>
  one.ms - other.ms || (one.id < other.id ? -1 : Number(one.id > other.id));

function positionOf(key: PageKey | null): Position | null {
  if (key === null) return null;
  const [ms, id] = key;
  if (ms === undefined || id === undefined) throw new Error('a cursor is missing its time or id');
  return { ms: Number(ms), id: toAttributionId(id) };
}

interface Range {
  after: Position;
  horizon: Date;
}

/** Finds rows that haven't changed since they were recorded. Their ids begin with the recording time. */
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
      limit (select ${maxScannedRows}::bigint)
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
  const positions = ids.map((id) => ({ ms: timeOfRowId(id).getTime(), id }));
  const hasMore = looked === maxScannedRows && last_id !== null;
  return { positions, end: hasMore ? { ms: timeOfRowId(last_id).getTime(), id: last_id } : null };
}

/**
 * Returns a condition on the ids of rows recorded after a position, or at the same time but with a higher id.
 */
function recordedAfter({ ms, id }: Position): RawBuilder<boolean> {
  const recordedMs = timeOfRowId(id).getTime();
  if (recordedMs === ms) return sql`attribution_id > ${id}::uuid`;
  return sql`attribution_id >= ${rowIdAt(new Date(recordedMs < ms ? ms : ms + 1))}::uuid`;
}

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
      limit (select ${maxScannedRows}::bigint)
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
  const positions = ids.map((id, index) => ({ ms: Number(times[index]), id }));
  const hasMore = looked === maxScannedRows && last_id !== null;
  return { positions, end: hasMore ? { ms: Number(last_ms), id: last_id } : null };
}
