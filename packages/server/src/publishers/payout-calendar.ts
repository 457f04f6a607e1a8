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
      'Day on which payouts are planned. The calendar is a promise: no payout is created by itself.',
  },
);

export type PayoutCalendar = Static<typeof payoutCalendarInput>;

const dayMs = 86_400_000;

/** Returns the next planned day after a time, as its first instant in UTC. */
export function nextPlanned({ dayOfMonth }: PayoutCalendar, after: Date): Date {
  const [year, month] = [after.getUTCFullYear(), after.getUTCMonth()];
  const planned = new Date(Date.UTC(year, month, dayOfMonth));
  return planned > after ? planned : new Date(Date.UTC(year, month + 1, dayOfMonth));
}

/** Returns the last planned day up to a time. */
export function lastPlanned({ dayOfMonth }: PayoutCalendar, upTo: Date): Date {
  const [year, month] = [upTo.getUTCFullYear(), upTo.getUTCMonth()];
  const planned = new Date(Date.UTC(year, month, dayOfMonth));
  return planned <= upTo ? planned : new Date(Date.UTC(year, month - 1, dayOfMonth));
}

/** Returns when the payout of a planned day is overdue: after the planned day and the days within which it is promised. */
export const overdueFrom = ({ withinDays }: PayoutCalendar, planned: Date): Date =>
  new Date(planned.getTime() + (1 + withinDays) * dayMs);
