import { nowMs } from '../clock.ts';
import type { Zone } from '../zone.ts';
import { toField } from './datetime-field.ts';
import { addDays } from './utc-days.ts';
import { endOfDay, type Range, startOfDay } from './zoned-days.ts';

/** Periods that a list offers. Months are whole, so that the link to a month stays the same until it ends. */
export const periods = ['today', 'yesterday', '7days', '30days', 'month', 'lastMonth'] as const;

export type Period = (typeof periods)[number];

/** Returns the range of a period in a zone. */
export function rangeOf(period: Period, zone: Zone): Range {
  const [first, last] = daysOf(period, toField(nowMs(), zone).slice(0, 10));
  return { from: startOfDay(first, zone), until: endOfDay(last, zone) };
}

/** Returns the periods that a range is equal to: two, for example, on the last of the 30 days of a month. */
export const periodsOf = (range: Range, zone: Zone): readonly Period[] =>
  periods.filter((period) => {
    const { from, until } = rangeOf(period, zone);
    return isSameTime(range.from, from) && isSameTime(range.until, until);
  });

const isSameTime = (one: string | undefined, other: string | undefined): boolean =>
  Date.parse(one ?? '') === Date.parse(other ?? '');

function daysOf(period: Period, today: string): readonly [first: string, last: string] {
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
