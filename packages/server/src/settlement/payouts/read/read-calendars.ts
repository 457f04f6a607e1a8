import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { type KeptCalendar, type PayoutCalendar, plannedFor } from '../../../publishers/payout-calendar.ts';
import { aheadMsAt, laterBy } from '../../../publishers/publisher-time.ts';

/** Calendar of a group. Its last payout is the last one that wasn't canceled. */
export interface GroupCalendar extends KeptCalendar {
  groupId: string;
}

/** Reads the calendars of the groups that have one, in order of their ids. */
export async function readCalendars(
  db: Db | Tx,
  publisherId: string,
  groupIds: readonly string[],
): Promise<GroupCalendar[]> {
  const { rows } = await sql<{
    group_id: string;
    payout_calendar: PayoutCalendar;
    payout_calendar_set_at: Date | null;
    created_at: Date | null;
    ahead_ms: bigint;
  }>`
    select g.group_id, g.payout_calendar, g.payout_calendar_set_at, made.created_at, ${aheadMsAt(publisherId, sql`made.created_at`)} as ahead_ms
    from creator_group g
    left join lateral (
      select max(b.created_at) as created_at
      from payout_batch b
      where b.publisher_id = ${publisherId} and b.group_id = g.group_id and b.status <> 'Cancelled'
    ) made on true
    where g.publisher_id = ${publisherId} and g.group_id = any(${[...groupIds]}::text[])
      and g.payout_calendar is not null
    order by g.group_id`.execute(db);
  return rows.map((row) => ({
    groupId: row.group_id,
    calendar: row.payout_calendar,
    setAt: row.payout_calendar_set_at,
    lastPayoutAt: row.created_at && laterBy(row.created_at, Number(row.ahead_ms)),
  }));
}

/**
 * Reads the day on which each group's next payout is planned.
 * @param at time on the publisher's clock
 * @returns days by group; groups without a calendar are missing
 */
export async function readPlannedDays(
  db: Db | Tx,
  { publisherId, groupIds, at }: { publisherId: string; groupIds: readonly string[]; at: Date },
): Promise<ReadonlyMap<string, Date>> {
  const calendars = await readCalendars(db, publisherId, groupIds);
  return new Map(calendars.map((each) => [each.groupId, plannedFor(each, at)]));
}
