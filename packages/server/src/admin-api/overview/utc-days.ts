import { Refusal } from '../../platform/refusal.ts';

/** Range of UTC days (YYYY-MM-DD): `from` is the first day, and `until` is the day after the last day. */
export interface UtcDays {
  from: string;
  until: string;
}

const dayMs = 86_400_000;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Reads the range of days from a query. By default, the range ends today and is `defaultDays` long.
 * @throws Refusal InvalidInput for a date that does not exist, an empty range, or a range longer than
 *   `maxDays`
 */
export function readUtcDays(
  sent: { from?: string | undefined; until?: string | undefined },
  { now, defaultDays, maxDays }: { now: Date; defaultDays: number; maxDays: number },
): UtcDays {
  const untilMs = sent.until === undefined ? startOfDay(now) + dayMs : msOf(sent.until);
  const fromMs = sent.from === undefined ? untilMs - defaultDays * dayMs : msOf(sent.from);
  const count = (untilMs - fromMs) / dayMs;
  if (count < 1 || count > maxDays)
    throw new Refusal(
      'InvalidInput',
      `The range from ${dayText(fromMs)} to ${dayText(untilMs)} (exclusive) must be 1 to ${maxDays} days long.`,
    );
  return { from: dayText(fromMs), until: dayText(untilMs) };
}

/** Returns the first of the last `count` days, including today. */
export const firstDayOf = (count: number, now: Date): string =>
  dayText(startOfDay(now) - (count - 1) * dayMs);

/** Returns the range of the same length that ends where the given range starts. */
function daysBefore({ from, until }: UtcDays): UtcDays {
  return { from: dayText(Date.parse(from) - lengthOf({ from, until })), until: from };
}

/** Length of a range, in milliseconds. */
const lengthOf = ({ from, until }: UtcDays): number => Date.parse(until) - Date.parse(from);

/**
 * Returns the same dates a year earlier. If a leap day has no counterpart, the range gets one day longer, so that it is
 * never empty.
 */
function daysAYearBefore({ from, until }: UtcDays): UtcDays {
  return { from: aYearBefore(from, '02-28'), until: aYearBefore(until, '03-01') };
}

const aYearBefore = (day: string, insteadOfLeapDay: string): string =>
  `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}-${day.endsWith('-02-29') ? insteadOfLeapDay : day.slice(5)}`;

export const comparisons = ['previous', 'year'] as const;
export type Comparison = (typeof comparisons)[number];

/** Returns the days to compare a range with, by default the days right before it. */
export const comparedWith = (days: UtcDays, comparison: Comparison = 'previous'): UtcDays =>
  comparison === 'year' ? daysAYearBefore(days) : daysBefore(days);

/** Days that are over, and the days that they are compared with. */
export interface ComparedDays {
  days: UtcDays;
  before: UtcDays;
}

/**
 * Returns the days of a range that are over, and their counterparts in an earlier range. Today is left out, because the
 * sums of an unfinished day would always seem to fall.
 * @returns null if no day is over
 */
export function comparableDays(
  days: UtcDays,
  { comparison = 'previous', now }: { comparison: Comparison | undefined; now: Date },
): ComparedDays | null {
  const today = dayText(startOfDay(now));
  if (days.until <= today) return { days, before: comparedWith(days, comparison) };
  if (days.from >= today) return null;
  const over = { from: days.from, until: today };
  if (comparison === 'year') return { days: over, before: daysAYearBefore(over) };
  const { from } = daysBefore(days);
  return { days: over, before: { from, until: dayText(Date.parse(from) + lengthOf(over)) } };
}

const startOfDay = (now: Date): number => Math.floor(now.getTime() / dayMs) * dayMs;

/** @param day text that matches the schema's pattern, YYYY-MM-DD */
function msOf(day: string): number {
  const ms = Date.parse(day);
  if (Number.isNaN(ms) || dayText(ms) !== day)
    throw new Refusal('InvalidInput', `The date ${day} does not exist.`);
  return ms;
}
