import { readLatest } from '../../attributions/read-latest.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { rowIdAt, timeOfRowId } from '../../platform/ids.ts';
import { type Credited, withCreators } from '../transactions/credited.ts';

/**
 * Overlap between consecutive reads. A row becomes visible when it is committed, possibly after rows with
 * later ids.
 */
const lookBackMs = 10_000;
/**
 * Maximum number of rows returned, enough to fill a screen. With a higher limit, clients that poll often
 * would receive the same rows over and over.
 */
const maxShown = 30;
const shownInitially = 20;

export interface TailQuery {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  /** Newest row that the client has; null on the client's first request. */
  after: AttributionId | null;
}

/** Longest time span over which `maxShown` rows count as a stream. */
const streamMs = 2_000;
/**
 * Period during which all viewers of a stream share one read. New rows push older rows off the screen even faster.
 */
const sharedMs = 500;
const maxCachedReads = 100;

export type ReadTail = (query: TailQuery) => Promise<readonly Credited[]>;

/**
 * Creates a function that reads the most recently recorded rows, newest first. With `after`, the function
 * also returns some rows that the client already has; the client drops these duplicates by id.
 */
export function createTail(db: Db): ReadTail {
  const reads = boundedCache<readonly Credited[]>(maxCachedReads, sharedMs);
  return async ({ publisherId, groupId, after }) => {
    const floor = after === null ? null : floorOf(after);
    const key = JSON.stringify([publisherId, groupId]);
    let rows = reads.get(key);
    if (rows === undefined) {
      const latest = await readLatest(db, { publisherId, groupId, floor, limit: maxShown });
      rows = await withCreators(db, publisherId, latest);
      if (isStream(rows)) reads.set(key, rows);
    }
    if (floor === null) return rows.slice(0, shownInitially);
    return rows.filter(({ row }) => row.attributionId >= floor);
  };
}

/** Returns the smallest row id to read, slightly before `after`, to include rows that became visible late. */
const floorOf = (after: AttributionId): string =>
  rowIdAt(new Date(timeOfRowId(after).getTime() - lookBackMs));

/**
 * Returns whether the rows fill a screen and were recorded within a short time. If so, all viewers share the
 * rows.
 */
function isStream(rows: readonly Credited[]): boolean {
  const [newest, oldest] = [rows[0], rows[maxShown - 1]];
  if (newest === undefined || oldest === undefined) return false;
  const at = ({ row }: Credited): number => timeOfRowId(row.attributionId).getTime();
  return at(newest) - at(oldest) < streamMs;
}
