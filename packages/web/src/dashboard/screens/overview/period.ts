import { nextDay, toDay } from '../../../ui/dates/utc-days.ts';

/** Periods to choose from on the overview, in days. */
export const periods = ['7', '28', '90'] as const;
/** Maximum number of days of a period, as on the server. */
export const maxDays = 366;
/** Maximum number of days of a ranking, as on the server. */
export const maxRankedDays = 92;

const dayMs = 86_400_000;

/** UTC days such as `2026-07-01`: the first day, and the day after the last day. */
export interface Period {
  from: string;
  until: string;
}

/** Choices stored in the URL. */
export interface ChosenPeriod extends Period {
  /** Number of days up to today, or `custom` for a range of days. */
  choice: (typeof periods)[number] | 'custom';
}

export const countDays = ({ from, until }: Period): number => (Date.parse(until) - Date.parse(from)) / dayMs;
export const todayAt = (now: number): string => toDay(now);

/** @returns the days from `from` up to but not including `until`, in the form `2026-07-01` */
export function daysOf({ from, until }: Period): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms < Date.parse(until); ms += dayMs) days.push(toDay(ms));
  return days;
}

/**
 * Returns the last `count` days, including today.
 * @param now in milliseconds
 */
export function lastDays(count: number, now: number): Period {
  const untilMs = (Math.floor(now / dayMs) + 1) * dayMs;
  return { from: toDay(untilMs - count * dayMs), until: toDay(untilMs) };
}

/** Problem with a range of days: the affected field and the kind of problem. */
export type PeriodFault = 'missing' | 'reversed' | 'future' | 'long';

/** @returns the reason why a range can't be shown; null if it can */
export function faultOf({ from, until }: Period, now: number): PeriodFault | null {
  if (!isDay(from) || !isDay(until)) return 'missing';
  if (until <= from) return 'reversed';
  if (until > nextDay(todayAt(now))) return 'future';
  return countDays({ from, until }) > maxDays ? 'long' : null;
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && toDay(Date.parse(text)) === text;

/** Reads the period from the URL. A range that can't be shown is ignored. */
export function readPeriod(
  { days, from = '', until = '' }: { days?: string; from?: string; until?: string },
  now: number,
): ChosenPeriod {
  if (faultOf({ from, until }, now) === null) return { choice: 'custom', from, until };
  const choice = periods.find((each) => each === days) ?? '28';
  return { choice, ...lastDays(Number(choice), now) };
}

/** Returns the part of a period that rankings cover: its last days. */
export function rankedPart(period: Period): Period {
  const excess = Math.max(0, countDays(period) - maxRankedDays);
  return { ...period, from: toDay(Date.parse(period.from) + excess * dayMs) };
}

export const comparisons = ['previous', 'year', 'none'] as const;
export type Comparison = (typeof comparisons)[number];

/** Reads the comparison from the URL. */
export const readComparison = (compare: string | undefined): Comparison =>
  comparisons.find((each) => each === compare) ?? 'previous';

/**
 * Returns the change in percent, to one decimal place; null if the previous value was zero.
 * @param now whole number as text
 */
export function changeOf(now: string, before: string): number | null {
  const was = BigInt(before);
  return was === 0n ? null : Number(((BigInt(now) - was) * 1_000n) / was) / 10;
}
