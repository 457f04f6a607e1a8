import { type Static, Type } from 'typebox';
import { closed } from '../platform/inputs.ts';

/** Schema of the day on which payouts of a group are planned. */
export const payoutCalendarInput = Type.Object(
  {
    dayOfMonth: Type.Integer({
      minimum: 1,
      maximum: 28,
      description: 'Day of each month, in UTC, whose start is the planned cutoff.',
    }),
    withinDays: Type.Integer({
      minimum: 0,
      maximum: 15,
      description: 'Number of days after the planned day within which the payout is promised.',
    }),
  },
  {
    ...closed,
    title: 'PayoutCalendar',
    description:
      'Day on which payouts are planned. The calendar is a promise: no payout is created automatically.',
  },
);

export type PayoutCalendar = Static<typeof payoutCalendarInput>;

const dayMs = 86_400_000;

/** Returns the last planned day up to a time, as its first instant in UTC. */
export function lastPlanned({ dayOfMonth }: PayoutCalendar, upTo: Date): Date {
  const [year, month] = [upTo.getUTCFullYear(), upTo.getUTCMonth()];
  const planned = new Date(Date.UTC(year, month, dayOfMonth));
  return planned <= upTo ? planned : new Date(Date.UTC(year, month - 1, dayOfMonth));
}

/** Returns the planned day after a planned day. */
const followingPlanned = (planned: Date): Date =>
  new Date(Date.UTC(planned.getUTCFullYear(), planned.getUTCMonth() + 1, planned.getUTCDate()));

/** Returns when a planned day's payout is overdue: after that day and the days within which the payout is promised. */
const overdueFrom = ({ withinDays }: PayoutCalendar, planned: Date): Date =>
  new Date(planned.getTime() + (1 + withinDays) * dayMs);

/**
 * Returns the planned day to announce at a time. It stays the same until the payout is created or overdue; then, the
 * next one is announced.
 * @param lastPayoutAt time of the group's last payout; null if there is none
 */
export function plannedFor(calendar: PayoutCalendar, at: Date, lastPayoutAt: Date | null): Date {
  const last = lastPlanned(calendar, at);
  const isOpen = (lastPayoutAt === null || lastPayoutAt < last) && at < overdueFrom(calendar, last);
  return isOpen ? last : followingPlanned(last);
}

/** Returns the planned day whose payout is overdue at a time; null if a payout was created on that day or later. */
export function overduePlanned(calendar: PayoutCalendar, at: Date, lastPayoutAt: Date | null): Date | null {
  const missed = lastPlanned(calendar, new Date(at.getTime() - (1 + calendar.withinDays) * dayMs));
  return lastPayoutAt !== null && lastPayoutAt >= missed ? null : missed;
}
