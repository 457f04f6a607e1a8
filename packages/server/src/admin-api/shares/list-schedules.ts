import type { Db } from '../../platform/database/database.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { type GroupKey, readSchedulesWithin } from '../../revenue-shares/schedules/read-schedules.ts';
import type { Schedule } from '../../revenue-shares/schedules/schedule-terms.ts';
import { withProvenance } from '../provenance.ts';
import { shownSchedule } from './schedule-schemas.ts';

export interface ScheduleList extends GroupKey {
  /** Start of the range that a schedule must overlap to be listed; null for no limit. */
  from: Date | null;
  /** End (exclusive) of the range that a schedule must overlap to be listed; null for no limit. */
  until: Date | null;
  cursor: string | null;
  size: number;
}

export type ShownSchedule = Awaited<ReturnType<typeof shownSchedules>>[number];

/** Lists one page of a group's schedules, earliest start first, each with its last change. */
export async function listSchedules(
  db: Db,
  pages: Pages,
  { cursor, size, from, until, ...group }: ScheduleList,
): Promise<Page<ShownSchedule>> {
  const listing = ['admin-schedules', group, from?.getTime() ?? null, until?.getTime() ?? null];
  const [startsAt, scheduleId] = pages.after(listing, cursor) ?? [];
  const after = startsAt === undefined || scheduleId === undefined ? null : ([startsAt, scheduleId] as const);
  const found = await readSchedulesWithin(db, group, { from, until, after, limit: size + 1 });
  const page = pages.cut(listing, found, size, (each) => [each.startsAt.toISOString(), each.scheduleId]);
  return { ...page, rows: await shownSchedules(db, group, page.rows) };
}

export const shownSchedules = (db: Db, { publisherId, groupId }: GroupKey, schedules: readonly Schedule[]) =>
  withProvenance(
    db,
    publisherId,
    schedules.map((schedule) => shownSchedule(groupId, schedule)),
    ({ scheduleId }) => `schedule:${scheduleId}`,
  );
