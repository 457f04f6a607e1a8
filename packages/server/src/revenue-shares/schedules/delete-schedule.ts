import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ScheduleId } from '../../platform/database/tables.generated.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { announceSchedule } from './announce-schedule.ts';
import { type GroupKey, readSchedule } from './read-schedules.ts';
import { type Schedule, scheduleFacts, scheduleVersion } from './schedule-terms.ts';
import { changingSchedules } from './write-schedule.ts';

export interface DeletedSchedule extends GroupKey {
  scheduleId: ScheduleId;
  /** Version that the actor saw (`scheduleVersion`). If absent, stale edits aren't detected. */
  version?: string;
}

/**
 * Deletes a schedule. Purchases keep the share they were recorded with.
 * @returns the deleted schedule
 * @throws Refusal NotFound for an unknown schedule; Stale for a stale edit
 */
export function deleteSchedule(
  db: Db,
  actor: Actor,
  { scheduleId, version, ...group }: DeletedSchedule,
  now: Date,
): Promise<Schedule> {
  const { publisherId, groupId } = group;
  return changingSchedules(db, group, async (tx) => {
    const schedule = await readSchedule(tx, group, scheduleId);
    refuseStaleEdit('The schedule', version, scheduleVersion(groupId, schedule));
    const wasRunning = await isRunning(tx, publisherId, scheduleId);
    await tx
      .updateTable('scheduled_share')
      .set({ deleted_at: now })
      .where('publisher_id', '=', publisherId)
      .where('schedule_id', '=', scheduleId)
      .execute();
    programChanged(tx, publisherId);
    if (wasRunning) await announceSchedule(tx, publisherId, scheduleId, 'RevenueShare/ScheduleEnded');
    await recordChange(tx, actor, {
      publisherId,
      action: 'schedule.delete',
      target: `schedule:${scheduleId}`,
      before: scheduleFacts(groupId, schedule),
    });
    return schedule;
  });
}

/** Returns whether a schedule's start has been announced but its end hasn't. */
async function isRunning(tx: ProgramTx, publisherId: string, scheduleId: ScheduleId): Promise<boolean> {
  const announced = await tx
    .selectFrom('scheduled_share')
    .select(['is_start_told', 'is_end_told'])
    .where('publisher_id', '=', publisherId)
    .where('schedule_id', '=', scheduleId)
    .forUpdate()
    .executeTakeFirst();
  return announced?.is_start_told === true && !announced.is_end_told;
}
