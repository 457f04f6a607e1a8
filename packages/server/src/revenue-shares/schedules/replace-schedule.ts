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
  /** New terms, which replace all existing ones. */
  terms: ScheduleTerms;
  /** Version that the actor saw (`scheduleVersion`). If absent, stale edits aren't detected. */
  version?: string;
}

/**
 * Replaces a schedule's terms.
 * @throws Refusal NotFound for an unknown schedule; Stale for a stale edit; Conflict if the window overlaps another
 * schedule's (`ScheduleOverlap`); InvalidDate if it ends before it starts; InvalidInput for an unknown tier
 */
export async function replaceSchedule(
  db: Db,
  actor: Actor,
  { scheduleId, terms, version, ...group }: ReplacedSchedule,
): Promise<Schedule> {
  refuseEmptyTerms(terms, { instantAllowed: true });
  return changingSchedules(db, group, async (tx) => {
    const before = await readSchedule(tx, group, scheduleId);
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
