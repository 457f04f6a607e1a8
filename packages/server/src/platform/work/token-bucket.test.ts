import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TokenBuckets } from './token-bucket.ts';

const takeAll = (buckets: TokenBuckets, key: string, nowMs: number): number => {
  let taken = 0;
  while (buckets.take(key, nowMs)) taken += 1;
  return taken;
};

describe('TokenBuckets', () => {
  test('allows a burst, then the set number per second', () => {
    const buckets = new TokenBuckets(4, 10);
    expect(takeAll(buckets, 'a', 0)).toBe(10);
    expect(takeAll(buckets, 'a', 249)).toBe(0);
    expect(takeAll(buckets, 'a', 250)).toBe(1);
    expect(takeAll(buckets, 'a', 1_250)).toBe(4);
    expect(takeAll(buckets, 'a', 1_000_000)).toBe(10);
  });

  test('accepts tokens back, up to the burst', () => {
    const buckets = new TokenBuckets(1, 2);
    buckets.giveBack('a');
    expect(takeAll(buckets, 'a', 0)).toBe(2);
    buckets.giveBack('a');
    expect(takeAll(buckets, 'a', 0)).toBe(1);
    for (const _ of [1, 2, 3]) buckets.giveBack('a');
    expect(takeAll(buckets, 'a', 0)).toBe(2);
  });

  test('loses no tokens when the clock is set back, and refills from there', () => {
    const buckets = new TokenBuckets(1, 2);
    expect(buckets.take('a', 3_600_000)).toBe(true);
    expect(buckets.take('a', 0), 'an hour back').toBe(true);
    expect(buckets.take('a', 0)).toBe(false);
    expect(buckets.take('a', 1_000)).toBe(true);
  });

  test('counts each key separately', () => {
    const buckets = new TokenBuckets(1, 2);
    expect([takeAll(buckets, 'a', 0), takeAll(buckets, 'b', 0)]).toEqual([2, 2]);
  });

  test('never allows more than burst and rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.nat(2_000), { maxLength: 200 }),
        (perSecond, burst, steps) => {
          const buckets = new TokenBuckets(perSecond, burst);
          let nowMs = 0;
          let taken = 0;
          for (const step of steps) {
            nowMs += step;
            if (buckets.take('k', nowMs)) taken += 1;
          }
          return taken <= burst + (nowMs / 1_000) * perSecond + 1e-6;
        },
      ),
    );
  });

  test('evicts only the least recently used key when there are too many', () => {
    const buckets = new TokenBuckets(1, 1, 2);
    for (const key of ['a', 'b', 'a', 'c']) buckets.take(key, 0);
    expect(buckets.take('a', 0)).toBe(false);
    expect(buckets.take('c', 0)).toBe(false);
    expect(buckets.take('b', 0)).toBe(true);
  });
});
