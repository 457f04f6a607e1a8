import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { violatedConstraint } from '../../platform/database/database-errors.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { ScheduleId } from '../../platform/database/tables.generated.ts';
import { newPublicId, toScheduleId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram, type ProgramTx } from '../../publishers/changing-program.ts';
import { lockGroup } from '../../publishers/lock-group.ts';
import { aheadMs, laterBy } from '../../publishers/publisher-time.ts';
import { findOverlaps, ScheduleOverlap, type ScheduleWindow } from './find-overlaps.ts';
import { type GroupKey, readSchedule } from './read-schedules.ts';
import type { Schedule, ScheduleTerms } from './schedule-terms.ts';

export const newScheduleId = (): ScheduleId => toScheduleId(newPublicId());

/**
 * Runs work that changes a group's schedules in one commit. Only one call per group runs at a time. The work must call
 * `programChanged`.
 */
export function changingSchedules<Result>(
  db: Db,
  { publisherId, groupId }: GroupKey,
  work: (tx: ProgramTx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      await lockGroup(tx, publisherId, groupId);
      return work(tx);
    }),
  ).catch((error) => {
    throw violatedConstraint(error) === 'scheduled_share_no_overlap' ? new ScheduleOverlap(null) : error;
  });
}

/**
 * Saves a schedule: creates it, replaces its terms, or restores a deleted schedule. The caller must have locked the
 * group. An existing id must belong to one of the group's schedules.
 * @throws Refusal Conflict if the window overlaps another schedule's; InvalidInput for an unknown tier
 */
export async function writeSchedule(
  tx: ProgramTx,
  group: GroupKey,
  scheduleId: ScheduleId,
  terms: ScheduleTerms,
): Promise<Schedule> {
  const { publisherId, groupId } = group;
  await refuseOverlap(tx, group, scheduleId, terms);
  const values = {
    starts_at: terms.startsAt,
    ends_at: terms.endsAt,
    share_millionths: terms.shareMillionths,
    deleted_at: null,
  };
  const announced = await remainingAnnouncements(tx, publisherId, scheduleId, terms);
  await tx
    .insertInto('scheduled_share')
    .values({ publisher_id: publisherId, schedule_id: scheduleId, group_id: groupId, ...values })
    .onConflict((conflict) =>
      conflict.columns(['publisher_id', 'schedule_id']).doUpdateSet({ ...values, ...announced }),
    )
    .execute();
  await tx
    .deleteFrom('scheduled_tier_share')
    .where('publisher_id', '=', publisherId)
    .where('schedule_id', '=', scheduleId)
    .execute();
  await writeTierShares(tx, group, scheduleId, terms);
  return readSchedule(tx, group, scheduleId);
}

/**
 * Returns a schedule's announcements that remain valid with its new terms. The others will be made again. A schedule
 * deleted by this transaction was only set aside so that other schedules in the input can take its window. Locks the
 * row, so that no announcement is made in the meantime.
 */
async function remainingAnnouncements(
  tx: ProgramTx,
  publisherId: string,
  scheduleId: ScheduleId,
  { startsAt, endsAt }: ScheduleTerms,
): Promise<{ is_start_told: boolean; is_end_told: boolean }> {
  const { rows } = await sql<{
    is_start_told: boolean;
    is_end_told: boolean;
    was_there: boolean;
    now: Date;
    ahead: bigint;
  }>`
    select is_start_told, is_end_told, deleted_at is null or deleted_at = now() as was_there, now() as now,
           ${aheadMs(publisherId)} as ahead
    from scheduled_share
    where publisher_id = ${publisherId} and schedule_id = ${scheduleId}
    for no key update`.execute(tx);
  const [stored] = rows;
  if (stored === undefined || !stored.was_there) return { is_start_told: false, is_end_told: false };
  const { is_start_told, is_end_told } = stored;
  const now = laterBy(stored.now, Number(stored.ahead));
  return {
    is_start_told: is_start_told && startsAt <= now && !(is_end_told && endsAt > now),
    is_end_told: is_end_told && endsAt <= now,
  };
}

async function refuseOverlap(
  tx: ProgramTx,
  group: GroupKey,
  except: ScheduleId,
  window: ScheduleWindow,
): Promise<void> {
  const [clash] = await findOverlaps(tx, group, { except, ...window });
  if (clash !== undefined) throw new ScheduleOverlap(clash);
}

async function writeTierShares(
  tx: ProgramTx,
  { publisherId, groupId }: GroupKey,
  scheduleId: ScheduleId,
  { tierShares }: ScheduleTerms,
): Promise<void> {
  for (const [position, { tierId, shareMillionths }] of tierShares.entries()) {
    const { rows } = await sql`
      insert into scheduled_tier_share (publisher_id, schedule_id, tier_id, position, share_millionths)
      select ${publisherId}, ${scheduleId}, t.tier_id, ${position}::smallint, ${shareMillionths}::integer
      from tier t
      where t.publisher_id = ${publisherId} and t.group_id = ${groupId} and t.tier_id::text = lower(${tierId})
      on conflict do nothing
      returning tier_id`.execute(tx);
    if (rows.length > 0) continue;
    throw new Refusal(
      'InvalidInput',
      `tierShares[${position}].tierId is not a tier of the group, or is listed twice`,
      { path: ['tierShares', position, 'tierId'] },
    );
  }
}
