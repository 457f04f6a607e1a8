import { nowMs } from '../clock.ts';
import type { Zone } from '../zone.ts';
import { toField } from './datetime-field.ts';
import { daysOf, type Period, periods } from './period-days.ts';
import { endOfDay, type Range, startOfDay } from './zoned-days.ts';

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
