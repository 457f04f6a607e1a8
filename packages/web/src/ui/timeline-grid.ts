import { formatLocale } from './locale.ts';
import type { Preferences } from './preferences.ts';

/** Milliseconds, half-open: [from, until). */
export interface Span {
  from: number;
  until: number;
}

/** Where two windows are in each other's way; null where they only touch, or do not. */
export function overlapOf(one: Span, other: Span): Span | null {
  const from = Math.max(one.from, other.from);
  const until = Math.min(one.until, other.until);
  return from < until ? { from, until } : null;
}

/** The columns of a grid between moments, each as wide as it is long, and the line that each moment is. */
export function columnsOf(
  range: Span,
  moments: readonly number[],
): { template: string; lineAt(moment: number): number } {
  const clamp = (moment: number): number => Math.min(Math.max(moment, range.from), range.until);
  const lines = [...new Set([range.from, ...moments.map(clamp), range.until])].sort((a, b) => a - b);
  const places = new Map(lines.map((moment, index) => [moment, index + 1]));
  const widths = lines.slice(1).map((moment, index) => moment - (lines[index] ?? 0));
  return {
    // In thousandths of the whole: a grid has no use for numbers of milliseconds.
    template: widths
      .map((width) => `minmax(0, ${((width / (range.until - range.from)) * 1_000).toFixed(4)}fr)`)
      .join(' '),
    lineAt: (moment) => places.get(clamp(moment)) ?? 1,
  };
}

export const dayMs = 86_400_000;

/** The first moment of the day that a moment is in. */
export function startOfDay(ms: number, zone: Preferences['zone']): number {
  const date = new Date(ms);
  return zone === 'utc' ? date.setUTCHours(0, 0, 0, 0) : date.setHours(0, 0, 0, 0);
}

/** Days later, or earlier, at the same time of day: a day of a zone is not always 24 hours. */
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

/** At most ten moments with names: days, weeks or months, by how long the range is. */
export function ticksOf({ from, until }: Span, zone: Preferences['zone']): Tick[] {
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
  const every = Math.ceil(ticks.length / 10);
  return ticks.filter((_tick, index) => index % every === 0);
}

function startOfMonth(ms: number, zone: Preferences['zone']): number {
  const date = new Date(startOfDay(ms, zone));
  return zone === 'utc' ? date.setUTCDate(1) : date.setDate(1);
}
