/** Periods to choose from on the overview, in days. */
export const periods = ['7', '28', '90'] as const;

const dayMs = 86_400_000;

/** UTC days such as `2026-07-01`: the first day, and the day after the last day. */
export interface Period {
  from: string;
  until: string;
}

/** @returns the days from `from` up to but not including `until`, in the form `2026-07-01` */
export function daysOf({ from, until }: Period): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms < Date.parse(until); ms += dayMs)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return days;
}

/**
 * Returns the last `count` days, including today.
 * @param now in milliseconds
 */
export function lastDays(count: number, now: number): Period {
  const untilMs = (Math.floor(now / dayMs) + 1) * dayMs;
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { from: text(untilMs - count * dayMs), until: text(untilMs) };
}

/**
 * Returns the change in percent, to one decimal place; null if the previous value was zero.
 * @param now whole number as text
 */
export function changeOf(now: string, before: string): number | null {
  const was = BigInt(before);
  return was === 0n ? null : Number(((BigInt(now) - was) * 1_000n) / was) / 10;
}
