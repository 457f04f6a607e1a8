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
      `The range from ${dayText(fromMs)} to ${dayText(untilMs)} (exclusive) isn't 1 to ${maxDays} days long. Choose another range.`,
    );
  return { from: dayText(fromMs), until: dayText(untilMs) };
}

/** Returns the range of the same length that ends where the given range starts. */
export function daysBefore({ from, until }: UtcDays): UtcDays {
  const fromMs = Date.parse(from);
  return { from: dayText(fromMs - (Date.parse(until) - fromMs)), until: from };
}

const startOfDay = (now: Date): number => Math.floor(now.getTime() / dayMs) * dayMs;

/** @param day text that matches the schema's pattern, YYYY-MM-DD */
function msOf(day: string): number {
  const ms = Date.parse(day);
  if (Number.isNaN(ms) || dayText(ms) !== day)
    throw new Refusal('InvalidInput', `The date ${day} does not exist.`);
  return ms;
}
