import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { programChanged } from '../../publishers/changing-program.ts';
import type { GroupKey } from './read-schedules.ts';
import { refuseEmptyTerms, type Schedule, type ScheduleTerms, scheduleFacts } from './schedule-terms.ts';
import { changingSchedules, newScheduleId, writeSchedule } from './write-schedule.ts';

export interface NewSchedule extends GroupKey {
  terms: ScheduleTerms;
}

/**
 * Creates a schedule.
 * @throws Refusal Conflict if the window overlaps another schedule's; InvalidDate if it ends before it starts;
 * InvalidInput for an unknown tier
 */
export async function createSchedule(
  db: Db,
  actor: Actor,
  { terms, ...group }: NewSchedule,
): Promise<Schedule> {
  refuseEmptyTerms(terms);
  return changingSchedules(db, group, async (tx) => {
    const schedule = await writeSchedule(tx, group, newScheduleId(), terms);
    programChanged(tx, group.publisherId);
    await recordChange(tx, actor, {
      publisherId: group.publisherId,
      action: 'schedule.create',
      target: `schedule:${schedule.scheduleId}`,
      after: scheduleFacts(group.groupId, schedule),
    });
    return schedule;
  });
}
