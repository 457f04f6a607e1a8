import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { ScheduleId } from '../../platform/database/tables.generated.ts';
import { laterBy, readAheadMs } from '../../publishers/publisher-time.ts';
import { announceSchedule } from './announce-schedule.ts';

const schedulesAtOnce = 100;

const isToTell = (now: Date | RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  not is_end_told and deleted_at is null and case when is_start_told then ends_at else starts_at end <= ${now})`;

/** Sandboxes whose clock is ahead, and that have one by it: each node answers for its own. */
const sandboxesToTell = (now: Date): RawBuilder<unknown> => sql`
  from clock_move c
  where exists (
    select 1
    from scheduled_share ahead
    where ahead.publisher_id = c.publisher_id and ${isToTell(sql`${now}::timestamptz + c.ahead_ms * interval '1 millisecond'`)}
  )`;

/** Whether a schedule has started or ended that nobody was told of, as a condition. */
export const areSchedulesToTell = (now: Date): RawBuilder<unknown> => sql`(
  exists (select 1 from scheduled_share where ${isToTell(now)}) or exists (select 1 ${sandboxesToTell(now)}))`;

/**
 * Tells publishers of the schedules that have started or ended by now, each once, whatever number of processes
 * look. A schedule that was over before anybody looked is not news.
 * @returns how many were told
 */
export async function tellSchedules(db: Db, now: Date): Promise<number> {
  const untold = [...(await findUntold(db, null, now)), ...(await untoldOfSandboxes(db, now))];
  const failures: unknown[] = [];
  for (const { publisher_id, schedule_id } of untold)
    await inTransaction(db, (tx) => tellSchedule(tx, publisher_id, schedule_id, now)).catch((error) => {
      failures.push(error); // one that cannot be told stops no other
    });
  if (failures.length > 0) throw failures[0];
  return untold.length;
}

interface Untold {
  publisher_id: string;
  schedule_id: ScheduleId;
}

/** @param publisherId null: of whatever publisher */
async function findUntold(db: Db, publisherId: string | null, now: Date): Promise<Untold[]> {
  const { rows } = await sql<Untold>`
    select publisher_id, schedule_id
    from scheduled_share
    where ${isToTell(now)} and ${publisherId === null ? sql`true` : sql`publisher_id = ${publisherId}`}
    order by publisher_id, schedule_id
    limit ${schedulesAtOnce}`.execute(db);
  return rows;
}

async function untoldOfSandboxes(db: Db, now: Date): Promise<Untold[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct c.publisher_id ${sandboxesToTell(now)} order by c.publisher_id limit ${schedulesAtOnce}`.execute(
    db,
  );
  const untold: Untold[] = [];
  for (const { publisher_id: publisherId } of rows)
    untold.push(...(await findUntold(db, publisherId, laterBy(now, await readAheadMs(db, publisherId)))));
  return untold;
}

/** @param serviceNow by the service's clock */
async function tellSchedule(
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
