import { addDays } from './utc-days.ts';

/** Periods that a list offers. Months are whole, so that the link to a month stays the same until it ends. */
export const periods = ['today', 'yesterday', '7days', '30days', 'month', 'lastMonth'] as const;

export type Period = (typeof periods)[number];

/** Returns the days of a period, both included. */
export function daysOf(period: Period, today: string): readonly [first: string, last: string] {
  const month = startOfMonth(today);
  switch (period) {
    case 'today':
      return [today, today];
    case 'yesterday':
      return [addDays(today, -1), addDays(today, -1)];
    case '7days':
      return [addDays(today, -6), today];
    case '30days':
      return [addDays(today, -29), today];
    case 'month':
      return [month, addDays(startOfMonth(addDays(month, 31)), -1)];
    case 'lastMonth':
      return [startOfMonth(addDays(month, -1)), addDays(month, -1)];
  }
}

const startOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;
