import type { AnswerCache } from '../../platform/answer-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import { overdueFrom, overduePlanned } from '../../publishers/payout-calendar.ts';
import { type Due, findDue } from '../../settlement/payouts/read/find-due.ts';
import { readCalendars } from '../../settlement/payouts/read/read-calendars.ts';

/** Planned payout of a group that wasn't created in time. */
export interface OverduePayout {
  groupId: string;
  /** First instant of the planned day, in UTC on the publisher's clock. */
  plannedFor: Date;
  /** Number of days after the planned day within which the payout was promised. */
  withinDays: number;
  /** Time on the publisher's clock from which the payout is overdue: the end of these days. */
  overdueSince: Date;
}

/**
 * Finds the groups whose planned day has passed without a payout, although a member was due a payment on that day. Money
 * that became due later belongs to the next planned day.
 * @param due groups where a member is due a payment now
 * @param now time on the publisher's clock
 */
export async function findOverdue(
  { db, dues }: { db: Db; dues: AnswerCache<Due[]> },
  { publisherId, due, now }: { publisherId: string; due: readonly Due[]; now: Date },
): Promise<OverduePayout[]> {
  const groupIds = [...new Set(due.map(({ groupId }) => groupId))];
  if (groupIds.length === 0) return [];
  const late = (await readCalendars(db, publisherId, groupIds)).flatMap((each) => {
    const planned = overduePlanned(each, now);
    if (planned === null) return [];
    const { groupId, calendar } = each;
    const { withinDays } = calendar;
    return [{ groupId, plannedFor: planned, withinDays, overdueSince: overdueFrom(calendar, planned) }];
  });
  const found: OverduePayout[] = [];
  for (const [time, planned] of Map.groupBy(late, ({ plannedFor }) => plannedFor.getTime())) {
    const groups = planned.map(({ groupId }) => groupId);
    const dueThen = await dues.get(['planned', publisherId, groups, time], () =>
      findDue(db, { publisherId, groupIds: groups, now: new Date(time) }),
    );
    const isDue = new Set(dueThen.map(({ groupId }) => groupId));
    found.push(...planned.filter(({ groupId }) => isDue.has(groupId)));
  }
  return found.sort((one, other) => one.plannedFor.getTime() - other.plannedFor.getTime());
}
