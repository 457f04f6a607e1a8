import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { ScheduleId, TierId } from '../../platform/database/tables.generated.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import type { EventKind } from '../../webhooks/event-kinds.ts';
import type { EventPayload } from '../../webhooks/event-text.ts';
import { publishEvents } from '../../webhooks/publish-events.ts';

const schedulesAtOnce = 100;

const isToTell = (now: Date): RawBuilder<unknown> => sql`(
  not is_end_told and deleted_at is null and case when is_start_told then ends_at else starts_at end <= ${now})`;

/** Whether a schedule has started or ended that nobody was told of, as a condition. */
export const areSchedulesToTell = (now: Date): RawBuilder<unknown> =>
  sql`exists (select from scheduled_share where ${isToTell(now)})`;

/**
 * Tells publishers of the schedules that have started or ended by now, each once, whatever number of processes
 * look. A schedule that was over before anybody looked is not news.
 * @returns how many were told
 */
export async function tellSchedules(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ publisher_id: string; schedule_id: ScheduleId }>`
    select publisher_id, schedule_id
    from scheduled_share
    where ${isToTell(now)}
    order by publisher_id, schedule_id
    limit ${schedulesAtOnce}`.execute(db);
  const failures: unknown[] = [];
  for (const { publisher_id, schedule_id } of rows)
    await inTransaction(db, (tx) => tellSchedule(tx, publisher_id, schedule_id, now)).catch((error) => {
      failures.push(error); // one that cannot be told stops no other
    });
  if (failures.length > 0) throw failures[0];
  return rows.length;
}

async function tellSchedule(tx: Tx, publisherId: string, scheduleId: ScheduleId, now: Date): Promise<void> {
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

/** Publishes a schedule, as the API shows it, in the commit of what became of it. */
export async function announceSchedule(
  tx: Tx,
  publisherId: string,
  scheduleId: ScheduleId,
  kind: EventKind & `RevenueShare/${string}`,
): Promise<void> {
  const { rows } = await sql<{
    group_id: string;
    group_name: string;
    starts_at: Date;
    ends_at: Date;
    share_millionths: number;
    tiers: { tierId: TierId; tierName: string; shareMillionths: number }[];
  }>`
    select s.group_id, g.name as group_name, s.starts_at, s.ends_at,
           coalesce(s.share_millionths, g.share_millionths) as share_millionths,
           (select coalesce(json_agg(json_build_object(
              'tierId', t.tier_id, 'tierName', t.name, 'shareMillionths', x.share_millionths) order by x.position), '[]')
            from scheduled_tier_share x
            join tier t on t.publisher_id = x.publisher_id and t.tier_id = x.tier_id
            where x.publisher_id = s.publisher_id and x.schedule_id = s.schedule_id) as tiers
    from scheduled_share s
    join creator_group g on g.publisher_id = s.publisher_id and g.group_id = s.group_id
    where s.publisher_id = ${publisherId} and s.schedule_id = ${scheduleId}`.execute(tx);
  const [schedule] = rows;
  if (schedule === undefined) throw new Error('a schedule to announce does not exist');
  const event: EventPayload = {
    id: scheduleId,
    revShare: millionthsToPercent(schedule.share_millionths),
    startDate: schedule.starts_at.toISOString(),
    endDate: schedule.ends_at.toISOString(),
    groupId: schedule.group_id,
    groupName: schedule.group_name,
    tierRevenueShares: schedule.tiers.map(({ tierId, tierName, shareMillionths }) => ({
      revShare: millionthsToPercent(shareMillionths),
      tierId,
      tierName,
    })),
  };
  await publishEvents(tx, publisherId, [{ kind, event }]);
}
