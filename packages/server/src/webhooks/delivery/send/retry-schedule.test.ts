import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextAttemptAt, readRetryAfter } from './retry-schedule.ts';

const hourMs = 3_600_000;
/** Expected waits, taken from the decision and not from the code. */
const waitsMs = [5_000, 30_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)];
const now = new Date('2027-01-01T00:00:00Z');
const waitOf = (tries: number, retryAfterMs: number | null, random: number): number | null => {
  const next = nextAttemptAt(tries, now, retryAfterMs, random);
  return next === null ? null : next.getTime() - now.getTime();
};

test('every wait is within ±20% of the schedule', () => {
  for (const [index, waitMs] of waitsMs.entries()) {
    expect(waitOf(index + 1, null, 0)).toBe(waitMs * 0.8);
    expect(waitOf(index + 1, null, 0.5)).toBe(waitMs);
    expect(waitOf(index + 1, null, 1)).toBe(waitMs * 1.2);
  }
});

test('there is no delay after the tenth, regardless of Retry-After', () => {
  for (const tries of [11, 12, 100]) {
    expect(waitOf(tries, null, 0.5)).toBeNull();
    expect(waitOf(tries, 60_000, 0.5)).toBeNull();
  }
});

test('Retry-After makes a delay longer, up to a day, and never shorter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 0, max: 1e12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (tries, askedMs, random) => {
        const without = waitOf(tries, null, random) ?? 0;
        const wait = waitOf(tries, askedMs, random) ?? 0;
        expect(wait).toBe(Math.floor(Math.max(without, Math.min(askedMs, 24 * hourMs))));
      },
    ),
  );
});

describe('reads Retry-After', () => {
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Fri, 01 Jan 2027 00:01:00 GMT', 60_000],
    ['Thu, 31 Dec 2026 23:00:00 GMT', 0],
    ['999999999999', 24 * hourMs], // limited to a day
    ['', null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['5, 10', null],
  ])('as %j', (header, ms) => {
    const read = readRetryAfter(header, now);
    expect(read === null ? null : Math.min(read, 24 * hourMs)).toBe(ms);
  });

  test('as null when it is absent', () => {
    expect(readRetryAfter(undefined, now)).toBeNull();
  });
});
