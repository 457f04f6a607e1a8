import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { ScheduleId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { GroupKey } from './read-schedules.ts';

/** Half-open, [startsAt, endsAt). */
export interface ScheduleWindow {
  startsAt: Date;
  endsAt: Date;
}

/** A schedule that is in the way. */
export interface Overlap extends ScheduleWindow {
  scheduleId: ScheduleId;
}

/** What refuses a window that another schedule of the group covers a moment of. */
export class ScheduleOverlap extends Refusal {
  /** Null: it came in between, and only a constraint saw it. */
  readonly clash: Overlap | null;

  constructor(clash: Overlap | null) {
    super(
      'Conflict',
      'The window overlaps another scheduled revenue share of the group; nothing was changed.',
    );
    this.clash = clash;
  }
}

/** As many as somebody can do something about. */
const maxNamed = 20;

/**
 * The schedules of a group that cover a moment of a window, by their start. An instant (start = end) is a point of the
 * timeline: seen as a microsecond long, the ordinary rule for half-open windows serves it too.
 * @param except a schedule that may be in the way: the one that is replaced; null for none
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
