import { sql } from 'kysely';
import { readAttributions } from '../../attributions/read-attributions.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { rowIdAt, timeOfRowId } from '../../platform/ids.ts';
import { type Credited, withCreators } from '../transactions/credited.ts';

/** Rows become visible when they are committed, which may be after later ones: each look goes back so far. */
const lookBackMs = 10_000;
/** Of a publisher's rows, and of those the ones of a group: a look never reads more. */
const rowsLookedAt = 2_000;
/** As many as a screen keeps of them: whoever asks often does not get the same hundred again and again. */
const maxShown = 30;
const shownFirst = 20;

export interface TailAsked {
  publisherId: string;
  /** Null: of all. */
  groupId: string | null;
  /** The last row that is known, null at the beginning. */
  after: AttributionId | null;
}

/** Of a publisher whose rows stream in, by which a screen's fill of them is younger than this. */
const streamMs = 2_000;
/** Everybody who looks at such a publisher shares a look for so long: rows come, and are gone again, faster than that. */
const sharedMs = 500;
const looksKept = 100;

/** Reads what was recorded last. */
export type ReadTail = (asked: TailAsked) => Promise<readonly Credited[]>;

/**
 * @returns reads the rows that were recorded last, the newest first; with `after` also some that are known already, which
 *   whoever asks drops by their ids
 */
export function createTail(db: Db): ReadTail {
  const looks = boundedCache<readonly Credited[]>(looksKept, sharedMs);
  return async ({ publisherId, groupId, after }) => {
    const floor = after === null ? null : floorOf(after);
    const key = JSON.stringify([publisherId, groupId]);
    let rows = looks.get(key);
    if (rows === undefined) {
      rows = await readLatest(db, { publisherId, groupId, floor });
      if (isStream(rows)) looks.set(key, rows);
    }
    if (floor === null) return rows.slice(0, shownFirst);
    return rows.filter(({ row }) => row.attributionId >= floor);
  };
}

/** Each look goes back a little, to see what became visible late. */
const floorOf = (after: AttributionId): string =>
  rowIdAt(new Date(timeOfRowId(after).getTime() - lookBackMs));

async function readLatest(
  db: Db,
  { publisherId, groupId, floor }: Omit<TailAsked, 'after'> & { floor: string | null },
): Promise<Credited[]> {
  const keys = sql`
    select attribution_id, transaction_date
    from (
      select attribution_id, transaction_date, group_id
      from attribution
      where publisher_id = ${publisherId} ${floor === null ? sql`` : sql`and attribution_id >= ${floor}::uuid`}
      order by attribution_id desc
      limit ${rowsLookedAt}
    ) latest
    ${groupId === null ? sql`` : sql`where group_id = ${groupId}`}
    order by attribution_id desc
    limit ${maxShown}`;
  const rows = await readAttributions(db, publisherId, keys, sql`a.attribution_id desc`);
  return withCreators(db, publisherId, rows);
}

/** Whether a look is full of rows that were recorded shortly one after the other: then nobody's look has more than it. */
function isStream(rows: readonly Credited[]): boolean {
  const [newest, oldest] = [rows[0], rows[maxShown - 1]];
  if (newest === undefined || oldest === undefined) return false;
  const at = ({ row }: Credited): number => timeOfRowId(row.attributionId).getTime();
  return at(newest) - at(oldest) < streamMs;
}
