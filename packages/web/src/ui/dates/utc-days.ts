const dayMs = 86_400_000;

/** Returns the UTC day, such as `2026-07-01`, of a time in milliseconds. */
export const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const addDays = (day: string, count: number): string => toDay(Date.parse(day) + count * dayMs);

export const nextDay = (day: string): string => addDays(day, 1);

/** @returns the last day before an exclusive end, which is a day or a time; empty if the end isn't a date */
export function lastDayBefore(end: string): string {
  const ms = Date.parse(end);
  return Number.isNaN(ms) ? '' : toDay(ms - 1);
}
