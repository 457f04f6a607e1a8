import { type Clock, systemClock } from '../../src/platform/clock.ts';
import type { Random } from './random.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const steps = [0, 1, 5 * minuteMs, hourMs, 11 * hourMs, dayMs];

/** The service's clock, which jumps back and forth while the database's clock runs normally. */
export interface JumpingClock extends Clock {
  /** Sets the clock up to a day off, or close to midnight UTC or the end of a month. */
  jump(random: Random): void;
  /** Describes how often the clock was set, and by how much at most. */
  describe(): string;
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
      const besideMs = random.pick([-1, 1]) * random.pick([1, 500, minuteMs]);
      offsetMs = random.pick([
        random.pick([-1, 1]) * random.pick(steps),
        random.pick([-1, 1]) * random.below(dayMs),
        midnight + besideMs - real.getTime(),
        nextMonth + besideMs - real.getTime(),
      ]);
      jumps += 1;
      maxMs = Math.max(maxMs, Math.abs(offsetMs));
    },
    describe: () =>
      `the service's clock was set ${jumps} times, by at most ${(maxMs / hourMs).toFixed(1)} hours`,
  };
}
