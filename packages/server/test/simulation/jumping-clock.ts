import { type Clock, systemClock } from '../../src/platform/clock.ts';
import type { Random } from './random.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const steps = [0, 1, 5 * minuteMs, hourMs, 11 * hourMs, dayMs];

/** The service's clock, which is set wrong and right again while the database's goes on. */
export interface JumpingClock extends Clock {
  /** Sets it: by up to a day to one side, or to a moment beside midnight UTC or a change of months. */
  jump(random: Random): void;
  /** How often it was set, and how far from the database's it was at most. */
  said(): string;
}

export function jumpingClock(): JumpingClock {
  let offsetMs = 0;
  let jumps = 0;
  let maxMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + offsetMs),
    jump(random) {
      const real = systemClock.now();
      const midnight = Date.UTC(
        real.getUTCFullYear(),
        real.getUTCMonth(),
        real.getUTCDate() + random.below(2),
      );
      const nextMonth = Date.UTC(real.getUTCFullYear(), real.getUTCMonth() + random.below(2));
      const aside = random.pick([-1, 1]) * random.pick([1, 500, minuteMs]);
      offsetMs = random.pick([
        random.pick([-1, 1]) * random.pick(steps),
        random.pick([-1, 1]) * random.below(dayMs),
        midnight + aside - real.getTime(),
        nextMonth + aside - real.getTime(),
      ]);
      jumps += 1;
      maxMs = Math.max(maxMs, Math.abs(offsetMs));
    },
    said: () => `the service's clock was set ${jumps} times, by ${(maxMs / hourMs).toFixed(1)} hours at most`,
  };
}
