import type { Answer } from './test-service.ts';

export const schedulesPath = '/scheduled-rev-shares';

/** Returns a valid schedule with its own window, a year after the previous schedule's window. */
export function schedule(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...nextWindow(), revShare: 25, ...changes };
}

let days = 0;

/** Returns a window that no other call returns: a day, followed by a free day. */
export function nextWindow(): { startDate: string; endDate: string } {
  days += 2;
  return { startDate: day(days), endDate: day(days + 1) };
}

const day = (number: number): string => new Date(Date.UTC(2000, 0, number)).toISOString();

export function statusesOf(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
