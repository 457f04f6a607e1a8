import { newRowId, rowIdAt, timeOfRowId } from './ids.ts';

/** Range of ids for which the database has partitions. */
export interface CoveredIds {
  /** First id in the range; null if the oldest partition doesn't have a lower bound. */
  first: string | null;
  /** End of the range (exclusive). */
  end: string;
}

let covered: CoveredIds | null = null;

/** Sets the range of ids that this process may generate. Null allows any id. */
export function coverIds(ids: CoveredIds | null): void {
  covered = ids;
}

/** Returns the end of the time range that has partitions, or null if there is no limit. */
export const coveredUntil = (): Date | null => (covered === null ? null : timeOfRowId(covered.end));

/**
 * Generates an id for a row in a table partitioned by day. If the current day doesn't have a partition, because the
 * clock jumped or partitions couldn't be created, the id is dated to the nearest day that does, so that the row can
 * still be inserted and the purchase recorded.
 */
export function newDatedId<Id extends string = string>(): Id {
  const id = newRowId<Id>();
  if (covered === null) return id;
  if (id >= covered.end) return ofTime(id, new Date(timeOfRowId(covered.end).getTime() - 1));
  return covered.first !== null && id < covered.first ? ofTime(id, timeOfRowId(covered.first)) : id;
}

const timeLength = 13;

const ofTime = <Id extends string>(id: Id, time: Date): Id =>
  `${rowIdAt(time).slice(0, timeLength)}${id.slice(timeLength)}` as Id;
