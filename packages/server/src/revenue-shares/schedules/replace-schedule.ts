import type { Actor } from '../../audit/actor.ts';
import { differences } from '../../audit/differences.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ScheduleId } from '../../platform/database/tables.generated.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { programChanged } from '../../publishers/changing-program.ts';
import { type GroupKey, readSchedule } from './read-schedules.ts';
import {
  refuseEmptyTerms,
  type Schedule,
  type ScheduleTerms,
  scheduleFacts,
  scheduleVersion,
} from './schedule-terms.ts';
import { changingSchedules, writeSchedule } from './write-schedule.ts';

export interface ReplacedSchedule extends GroupKey {
  scheduleId: ScheduleId;
  /** They replace the schedule's own entirely. */
  terms: ScheduleTerms;
  /** What whoever edits has seen of it (`scheduleVersion`); whoever says none replaces whatever is there. */
  version?: string;
}

/**
 * @throws Refusal NotFound; Conflict when another schedule covers a moment of the window (`ScheduleOverlap`), or the
 *   version is another one by now; InvalidDate for one that ends too soon; InvalidInput for an unknown tier
 */
export async function replaceSchedule(
  db: Db,
  actor: Actor,
  { scheduleId, terms, version, ...group }: ReplacedSchedule,
): Promise<Schedule> {
  refuseEmptyTerms(terms, { instantAllowed: true });
  return changingSchedules(db, group, async (tx) => {
    const before = await readSchedule(tx, group, scheduleId);
    if (version !== undefined)
      refuseStaleEdit('The schedule', version, scheduleVersion(group.groupId, before));
    const schedule = await writeSchedule(tx, group, scheduleId, terms);
    const change = differences(scheduleFacts(group.groupId, before), scheduleFacts(group.groupId, schedule));
    if (change === null) return schedule;
    programChanged(tx, group.publisherId);
    await recordChange(tx, actor, {
      publisherId: group.publisherId,
      action: 'schedule.replace',
      target: `schedule:${scheduleId}`,
      ...change,
    });
    return schedule;
  });
}
