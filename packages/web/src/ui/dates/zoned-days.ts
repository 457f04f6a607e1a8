import type { Zone } from '../zone.ts';
import { fromField, toField } from './datetime-field.ts';
import { nextDay } from './utc-days.ts';

/** Range of a list in the URL: start of the first day, and start of the day after the last one. */
export interface Range {
  from?: string | undefined;
  until?: string | undefined;
}

/** @returns the start of a day, such as `2026-06-30T22:00:00Z` for `2026-07-01`; undefined for no day */
export function startOfDay(day: string, zone: Zone): string | undefined {
  const ms = fromField(day && `${day}T00:00`, zone);
  return ms === null ? undefined : new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** @returns the start of the day after a day; undefined for no day */
export const endOfDay = (day: string, zone: Zone): string | undefined =>
  startOfDay(day && nextDay(day), zone);

/** @returns the day of a range's start; empty if there is none */
export const firstDayOf = ({ from }: Range, zone: Zone): string => dayAt(from, 0, zone);

/** @returns the last day of a range, included; empty if it has no end */
export const lastDayOf = ({ until }: Range, zone: Zone): string => dayAt(until, -1, zone);

function dayAt(at: string | undefined, byMs: number, zone: Zone): string {
  const ms = Date.parse(at ?? '') + byMs;
  return Number.isNaN(ms) ? '' : toField(ms, zone).slice(0, 10);
}

/** Returns whether a range consists of whole days in a zone. Text that isn't a time is left to the service to reject. */
export const isWholeDays = (range: Range, zone: Zone): boolean =>
  [range.from, range.until].every((at) => {
    const ms = Date.parse(at ?? '');
    return Number.isNaN(ms) || Date.parse(startOfDay(dayAt(at, 0, zone), zone) ?? '') === ms;
  });

/**
 * Returns the zone in which a list shows its range and its times: the reader's, unless the range consists of whole days
 * only in the other zone. Links from sums have UTC days, because sums do.
 */
export function zoneOfRange(range: Range, preferred: Zone): Zone {
  const other = preferred === 'utc' ? 'viewer' : 'utc';
  return !isWholeDays(range, preferred) && isWholeDays(range, other) ? other : preferred;
}

/** Returns the same days in another zone. */
export const moveDays = (range: Range, from: Zone, to: Zone): Range => ({
  from: startOfDay(firstDayOf(range, from), to),
  until: endOfDay(lastDayOf(range, from), to),
});
