import { newRowId, rowIdAt, timeOfRowId } from './ids.ts';

/** The ids for which a database has partitions. */
export interface CoveredIds {
  /** The first of them; null where the oldest partition has no beginning. */
  first: string | null;
  /** The first one after them. */
  end: string;
}

let covered: CoveredIds | null = null;

/** Says which ids this process may make from now on; null: any. */
export function coverIds(ids: CoveredIds | null): void {
  covered = ids;
}

/** Until when there are partitions for them; null where any may be made. */
export const coveredUntil = (): Date | null => (covered === null ? null : timeOfRowId(covered.end));

/**
 * A new id of a row in a partition by day. Where the clock stands at a day without one, because it jumped or because
 * nobody could make any, it is of the nearest day that has one: what is written beside a purchase must not fail.
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
