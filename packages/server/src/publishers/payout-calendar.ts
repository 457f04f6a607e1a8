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
