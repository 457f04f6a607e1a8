import { Refusal } from '../../platform/refusal.ts';

/** Days of UTC, as 2026-05-01: `from` is one of them, `until` is not. */
export interface UtcDays {
  from: string;
  until: string;
}

const dayMs = 86_400_000;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * The days that a query asks for; the last so many with today where it asks for none.
 * @throws Refusal InvalidInput for what is no day, for none, and for more than there may be
 */
export function readUtcDays(
  sent: { from?: string | undefined; until?: string | undefined },
  { now, usual, most }: { now: Date; usual: number; most: number },
): UtcDays {
  const untilMs = sent.until === undefined ? startOfDay(now) + dayMs : msOf(sent.until);
  const fromMs = sent.from === undefined ? untilMs - usual * dayMs : msOf(sent.from);
  const count = (untilMs - fromMs) / dayMs;
  if (count < 1 || count > most)
    throw new Refusal(
      'InvalidInput',
      `Ask for 1 to ${most} days: from ${dayText(fromMs)}, until ${dayText(untilMs)} is not among them.`,
    );
  return { from: dayText(fromMs), until: dayText(untilMs) };
}

/** As many days right before. */
export function daysBefore({ from, until }: UtcDays): UtcDays {
  const fromMs = Date.parse(from);
  return { from: dayText(fromMs - (Date.parse(until) - fromMs)), until: from };
}

const startOfDay = (now: Date): number => Math.floor(now.getTime() / dayMs) * dayMs;

/** @param day as the schema lets it through: four digits, two and two */
function msOf(day: string): number {
  const ms = Date.parse(day);
  if (Number.isNaN(ms) || dayText(ms) !== day) throw new Refusal('InvalidInput', `There is no day ${day}.`);
  return ms;
}
