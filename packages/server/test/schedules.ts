import type { Answer } from './test-service.ts';

export const schedulesPath = '/scheduled-rev-shares';

/** A schedule that can be created, in a window of its own: the year after the last one given out. */
export function schedule(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...nextWindow(), revShare: 25, ...changes };
}

let days = 0;

/** A window that no other call has got: a day, with a free day behind it. */
export function nextWindow(): { startDate: string; endDate: string } {
  days += 2;
  return { startDate: day(days), endDate: day(days + 1) };
}

const day = (number: number): string => new Date(Date.UTC(2000, 0, number)).toISOString();

/** How many answers have each status. */
export function statusesOf(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
