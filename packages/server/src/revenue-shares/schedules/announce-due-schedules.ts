import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { ScheduleId } from '../../platform/database/tables.generated.ts';
import { laterBy, readAheadMs } from '../../publishers/publisher-time.ts';
import { announceSchedule } from './announce-schedule.ts';

const schedulesAtOnce = 100;

const isDue = (now: Date | RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  not is_end_told and deleted_at is null and case when is_start_told then ends_at else starts_at end <= ${now})`;

/**
 * Returns the `from` clause that, on each node, selects the sandboxes whose clocks have reached a start or end to
 * announce.
 */
const sandboxesWithDue = (now: Date): RawBuilder<unknown> => sql`
  from clock_move c
  where exists (
    select 1
    from scheduled_share ahead
    where ahead.publisher_id = c.publisher_id and ${isDue(sql`${now}::timestamptz + c.ahead_ms * interval '1 millisecond'`)}
  )`;

/** Returns the condition for a schedule whose start or end hasn't been announced. */
export const areAnnouncementsDue = (now: Date): RawBuilder<unknown> => sql`(
  exists (select 1 from scheduled_share where ${isDue(now)}) or exists (select 1 ${sandboxesWithDue(now)}))`;

/**
 * Announces the schedules that have started or ended by `now`, each exactly once, even with several processes. A
 * schedule that ended before its start was announced is skipped.
 * @returns the number of schedules processed
 */
export async function announceDueSchedules(db: Db, now: Date): Promise<number> {
  const due = [...(await findDue(db, null, now)), ...(await findDueInSandboxes(db, now))];
  const failures: unknown[] = [];
  for (const { publisher_id, schedule_id } of due)
    await inTransaction(db, (tx) => announceDue(tx, publisher_id, schedule_id, now)).catch((error) => {
      failures.push(error); // a failure must not stop the other announcements
    });
  if (failures.length > 0) throw failures[0];
  return due.length;
}

interface DueSchedule {
  publisher_id: string;
  schedule_id: ScheduleId;
}

/** Finds schedules to announce, for one publisher or for all publishers. */
async function findDue(db: Db, publisherId: string | null, now: Date): Promise<DueSchedule[]> {
  const { rows } = await sql<DueSchedule>`
    select publisher_id, schedule_id
    from scheduled_share
    where ${isDue(now)} and ${publisherId === null ? sql`true` : sql`publisher_id = ${publisherId}`}
    order by publisher_id, schedule_id
    limit ${schedulesAtOnce}`.execute(db);
  return rows;
}

async function findDueInSandboxes(db: Db, now: Date): Promise<DueSchedule[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct c.publisher_id ${sandboxesWithDue(now)} order by c.publisher_id limit ${schedulesAtOnce}`.execute(
    db,
  );
  const due: DueSchedule[] = [];
  for (const { publisher_id: publisherId } of rows)
    due.push(...(await findDue(db, publisherId, laterBy(now, await readAheadMs(db, publisherId)))));
  return due;
}

/**
 * Announces the start or end of a schedule.
 * @param serviceNow time on the service's clock
 */
async function announceDue(
  tx: Tx,
  publisherId: string,
  scheduleId: ScheduleId,
  serviceNow: Date,
): Promise<void> {
  const now = laterBy(serviceNow, await readAheadMs(tx, publisherId));
  const schedule = await tx
    .selectFrom('scheduled_share')
    .select(['starts_at', 'ends_at', 'is_start_told'])
    .where('publisher_id', '=', publisherId)
    .where('schedule_id', '=', scheduleId)
    .where('is_end_told', '=', false)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (schedule === undefined || schedule.starts_at > now) return;
  const isOver = schedule.ends_at <= now;
  await tx
    .updateTable('scheduled_share')
    .set({ is_start_told: true, is_end_told: isOver })
    .where('publisher_id', '=', publisherId)
    .where('schedule_id', '=', scheduleId)
    .execute();
  if (!schedule.is_start_told && !isOver)
    await announceSchedule(tx, publisherId, scheduleId, 'RevenueShare/ScheduleStarted');
  if (schedule.is_start_told && isOver)
    await announceSchedule(tx, publisherId, scheduleId, 'RevenueShare/ScheduleEnded');
}
