import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { ScheduleId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { GroupKey } from './read-schedules.ts';

/** Half-open time range, [startsAt, endsAt). */
export interface ScheduleWindow {
  startsAt: Date;
  endsAt: Date;
}

export interface Overlap extends ScheduleWindow {
  scheduleId: ScheduleId;
}

/** Error for a window that overlaps another schedule of the group. */
export class ScheduleOverlap extends Refusal {
  /** Overlapping schedule; null if it was created concurrently, so that only the constraint detected it. */
  readonly clash: Overlap | null;

  constructor(clash: Overlap | null) {
    super(
      'Conflict',
      'The window overlaps another scheduled revenue share of the group. Nothing was changed.',
    );
    this.clash = clash;
  }
}

/** Maximum number of overlaps to report. */
const maxNamed = 20;

/**
 * Returns the schedules of a group that overlap a window, earliest start first. An instant (start = end) counts as one
 * microsecond, so that the usual rule for half-open ranges applies.
 * @param except schedule to ignore because it is being replaced; null for none
 */
export async function findOverlaps(
  db: Db | Tx,
  { publisherId, groupId }: GroupKey,
  { except, startsAt, endsAt }: ScheduleWindow & { except: ScheduleId | null },
): Promise<Overlap[]> {
  const { rows } = await sql<{ schedule_id: ScheduleId; starts_at: Date; ends_at: Date }>`
    select schedule_id, starts_at, ends_at
    from scheduled_share
    where publisher_id = ${publisherId} and group_id = ${groupId} and deleted_at is null
      and schedule_id is distinct from ${except}
      and starts_at < greatest(${endsAt}::timestamptz, ${startsAt}::timestamptz + interval '1 microsecond')
      and ${startsAt}::timestamptz < greatest(ends_at, starts_at + interval '1 microsecond')
    order by starts_at
    limit ${maxNamed}`.execute(db);
  return rows.map((row) => ({ scheduleId: row.schedule_id, startsAt: row.starts_at, endsAt: row.ends_at }));
}
