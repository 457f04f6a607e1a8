import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { ScheduleId, TierId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Schedule } from './schedule-terms.ts';

export interface GroupKey {
  publisherId: string;
  groupId: string;
}

const idShape = /^[A-Za-z0-9_-]{21}$/;

/**
 * Reads a schedule.
 * @throws Refusal NotFound if the group has no such schedule or the schedule was deleted
 */
export async function readSchedule(db: Db | Tx, group: GroupKey, scheduleId: ScheduleId): Promise<Schedule> {
  const [found] = idShape.test(scheduleId) ? await readSchedules(db, group, [scheduleId]) : [];
  if (found === undefined)
    throw new Refusal('NotFound', 'The creator group has no scheduled revenue share with this id.');
  return found;
}

export const readSchedules = (
  db: Db | Tx,
  group: GroupKey,
  ids: readonly ScheduleId[],
): Promise<Schedule[]> => read(db, group, sql`and s.schedule_id = any(${ids}::text[])`);

/** Reads one page of a group's schedules, earliest start first. */
export const readSchedulePage = (
  db: Db | Tx,
  group: GroupKey,
  { limit, offset }: { limit: number; offset: number },
): Promise<Schedule[]> =>
  read(db, group, sql`order by s.starts_at, s.schedule_id limit ${limit} offset ${offset}`);

/** Reads a group's schedules that overlap a window and follow a key, earliest start first. */
export const readSchedulesWithin = (
  db: Db | Tx,
  group: GroupKey,
  { from, until, after, limit }: SchedulesWithin,
): Promise<Schedule[]> =>
  read(
    db,
    group,
    sql`
      ${from === null ? sql`` : sql`and greatest(s.ends_at, s.starts_at + interval '1 microsecond') > ${from}`}
      ${until === null ? sql`` : sql`and s.starts_at < ${until}`}
      ${after === null ? sql`` : sql`and (s.starts_at, s.schedule_id) > (${after[0]}::timestamptz, ${after[1]})`}
      order by s.starts_at, s.schedule_id
      limit ${limit}`,
  );

export interface SchedulesWithin {
  /** Start of the half-open window [from, until); null for no bound. */
  from: Date | null;
  until: Date | null;
  /** Key to continue after: a schedule's start and id. */
  after: readonly [string, string] | null;
  limit: number;
}

async function read(
  db: Db | Tx,
  { publisherId, groupId }: GroupKey,
  rest: ReturnType<typeof sql>,
): Promise<Schedule[]> {
  const { rows } = await sql<{
    schedule_id: ScheduleId;
    starts_at: Date;
    ends_at: Date;
    share_millionths: number | null;
    tier_shares: { tierId: TierId; tierName: string; shareMillionths: number }[];
  }>`
    select s.schedule_id, s.starts_at, s.ends_at, s.share_millionths,
           (select coalesce(json_agg(json_build_object(
                     'tierId', x.tier_id, 'tierName', t.name, 'shareMillionths', x.share_millionths
                   ) order by x.position), '[]')
            from scheduled_tier_share x
            join tier t on t.publisher_id = ${publisherId} and t.tier_id = x.tier_id
            where x.publisher_id = ${publisherId} and x.schedule_id = s.schedule_id) as tier_shares
    from scheduled_share s
    where s.publisher_id = ${publisherId} and s.group_id = ${groupId} and s.deleted_at is null
    ${rest}`.execute(db);
  return rows.map((row) => ({
    scheduleId: row.schedule_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    shareMillionths: row.share_millionths,
    tierShares: row.tier_shares,
  }));
}
