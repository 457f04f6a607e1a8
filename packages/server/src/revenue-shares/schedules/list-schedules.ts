import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { type GroupKey, readSchedulePage } from './read-schedules.ts';
import type { Schedule } from './schedule-terms.ts';

/** Lists one page of a group's schedules, earliest start first, and counts all of the group's schedules. */
export async function listSchedules(
  db: Db,
  { publisherId, groupId }: GroupKey,
  { page, size }: { page: number; size: number },
): Promise<{ schedules: Schedule[]; totalCount: number }> {
  const schedules = await readSchedulePage(
    db,
    { publisherId, groupId },
    { limit: size, offset: (page - 1) * size },
  );
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total
    from scheduled_share
    where publisher_id = ${publisherId} and group_id = ${groupId} and deleted_at is null`.execute(db);
  return { schedules, totalCount: Number(rows[0]?.total ?? 0) };
}
