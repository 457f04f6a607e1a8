import { formatLocale } from './locale.ts';
import type { Preferences } from './preferences.ts';

/** Time range in milliseconds, half-open: [from, until). */
export interface Span {
  from: number;
  until: number;
}

/** Returns the overlap of two windows; null if they don't overlap. */
export function overlapOf(one: Span, other: Span): Span | null {
  const from = Math.max(one.from, other.from);
  const until = Math.min(one.until, other.until);
  return from < until ? { from, until } : null;
}

/** Returns grid columns between the given times, with widths proportional to durations, and each time's grid line. */
export function columnsOf(
  range: Span,
  times: readonly number[],
): { template: string; lineAt(time: number): number } {
  const clamp = (time: number): number => Math.min(Math.max(time, range.from), range.until);
  const lines = [...new Set([range.from, ...times.map(clamp), range.until])].sort((a, b) => a - b);
  const places = new Map(lines.map((time, index) => [time, index + 1]));
  const widths = lines.slice(1).map((time, index) => time - (lines[index] ?? 0));
  return {
    // In thousandths of the range, because milliseconds are too large for `fr` units.
    template: widths
      .map((width) => `minmax(0, ${((width / (range.until - range.from)) * 1_000).toFixed(4)}fr)`)
      .join(' '),
    lineAt: (time) => places.get(clamp(time)) ?? 1,
  };
}

export const dayMs = 86_400_000;

export function startOfDay(ms: number, zone: Preferences['zone']): number {
  const date = new Date(ms);
  return zone === 'utc' ? date.setUTCHours(0, 0, 0, 0) : date.setHours(0, 0, 0, 0);
}

/** Adds days, keeping the time of day: a local day isn't always 24 hours. */
export function addDays(ms: number, days: number, zone: Preferences['zone']): number {
  const date = new Date(ms);
  return zone === 'utc' ? date.setUTCDate(date.getUTCDate() + days) : date.setDate(date.getDate() + days);
}

export const weekdayOf = (ms: number, zone: Preferences['zone']): number =>
  zone === 'utc' ? new Date(ms).getUTCDay() : new Date(ms).getDay();

interface Tick {
  at: number;
  label: string;
}

/** Returns at most `max` labeled times: days, weeks or months, depending on the range. */
export function ticksOf({ from, until }: Span, zone: Preferences['zone'], max = 10): Tick[] {
  const days = (until - from) / dayMs;
  const step = days <= 20 ? 1 : days <= 62 ? 7 : null;
  const format = new Intl.DateTimeFormat(formatLocale(), {
    ...(step === null ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' }),
    ...(zone === 'utc' && { timeZone: 'UTC' }),
  });
  const ticks: Tick[] = [];
  let at = step === null ? startOfMonth(from, zone) : startOfDay(from, zone);
  while (at < until) {
    if (at >= from) ticks.push({ at, label: format.format(at) });
    at = step === null ? startOfMonth(addDays(at, 32, zone), zone) : addDays(at, step, zone);
  }
  const every = Math.ceil(ticks.length / max);
  return ticks.filter((_tick, index) => index % every === 0);
}

function startOfMonth(ms: number, zone: Preferences['zone']): number {
  const date = new Date(startOfDay(ms, zone));
  return zone === 'utc' ? date.setUTCDate(1) : date.setDate(1);
}
