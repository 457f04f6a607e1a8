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

/** Calendar of a group, with the times on the publisher's clock that it is compared with. */
export interface KeptCalendar {
  calendar: PayoutCalendar;
  /** Time at which the day was set; null if it always applied. A day that had ended by then was not planned. */
  setAt: Date | null;
  /** Time of the group's last payout; null if there is none. */
  lastPayoutAt: Date | null;
}

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

/** Returns when a planned day's payout becomes overdue: at the end of the days within which the payout was promised. */
export const overdueFrom = ({ withinDays }: PayoutCalendar, planned: Date): Date =>
  new Date(planned.getTime() + (1 + withinDays) * dayMs);

/** Returns whether a day was planned, which means that the calendar was set before the day ended. */
const wasPlanned = ({ setAt }: KeptCalendar, planned: Date): boolean =>
  setAt === null || setAt.getTime() < planned.getTime() + dayMs;

/** Returns whether no payout was created on a planned day or later. */
const isUnpaid = ({ lastPayoutAt }: KeptCalendar, planned: Date): boolean =>
  lastPayoutAt === null || lastPayoutAt < planned;

/**
 * Returns the planned day to announce at a time. It stays the same until the payout is created or overdue; then, the
 * next one is announced.
 */
export function plannedFor(kept: KeptCalendar, at: Date): Date {
  const last = lastPlanned(kept.calendar, at);
  const isOpen = wasPlanned(kept, last) && isUnpaid(kept, last) && at < overdueFrom(kept.calendar, last);
  return isOpen ? last : followingPlanned(last);
}

/** Returns the planned day whose payout is overdue at a time; null if there is none. */
export function overduePlanned(kept: KeptCalendar, at: Date): Date | null {
  const { calendar } = kept;
  const missed = lastPlanned(calendar, new Date(at.getTime() - (1 + calendar.withinDays) * dayMs));
  return wasPlanned(kept, missed) && isUnpaid(kept, missed) ? missed : null;
}
