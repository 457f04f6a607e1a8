import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideHalfEven } from '../platform/percent.ts';
import { type Offers, resolveShare, shareRules, sourceOf } from './resolve-share.ts';
import { roundShare } from './round-share.ts';

const millionths = fc.integer({ min: 0, max: 1_000_000 });
const minor = fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) });
const maybe = fc.option(millionths, { nil: null });
const offers: fc.Arbitrary<Offers> = fc.record({
  sent: maybe,
  sku: maybe,
  'scheduled-tier': maybe,
  'scheduled-group': maybe,
  tier: maybe,
  group: millionths,
});

describe('the share of a row', () => {
  test('is the offer of the most specific rule, regardless of other offers', () => {
    fc.assert(
      fc.property(offers, maybe, fc.nat(shareRules.length - 1), (all, change, place) => {
        const decided = resolveShare(all);
        const rank = shareRules.indexOf(decided.rule);
        expect(shareRules.slice(0, rank).every((rule) => all[rule] === null)).toBe(true);
        expect(decided).toEqual({ rule: decided.rule, shareMillionths: all[decided.rule] });
        const rule = shareRules[place] ?? 'group';
        if (place > rank && (rule !== 'group' || change !== null))
          expect(resolveShare({ ...all, [rule]: change })).toEqual(decided);
      }),
    );
  });

  test('can be zero percent, which applies like any other share', () => {
    const decided = resolveShare({
      sent: null,
      sku: 0,
      'scheduled-tier': null,
      'scheduled-group': 100_000,
      tier: 100_000,
      group: 100_000,
    });
    expect(decided).toEqual({ rule: 'sku', shareMillionths: 0 });
  });

  test('has the id of the definition that its rule read', () => {
    const read = { skuId: 'sku', scheduleId: 'schedule', tierId: 'tier', groupId: 'group' };
    expect(shareRules.map((rule) => sourceOf(rule, read))).toEqual([
      null,
      'sku',
      'schedule',
      'schedule',
      'tier',
      'group',
    ]);
  });
});

describe('a share in minor units', () => {
  test.each([
    // subtotal, millionths, share
    [5n, 100_000, 0n],
    [15n, 100_000, 2n],
    [25n, 100_000, 2n],
    [35n, 100_000, 4n],
    [1n, 500_000, 0n],
    [3n, 500_000, 2n],
    [1n, 500_001, 1n],
    [1n, 499_999, 0n],
    [999n, 200_000, 200n],
    [1n, 0, 0n],
    [9_007_199_254_740_991n, 1_000_000, 9_007_199_254_740_991n],
    [9_007_199_254_740_991n, 999_999, 9_007_190_247_541_736n],
    [9_007_199_254_740_991n, 500_000, 4_503_599_627_370_496n],
    [9_007_199_254_740_991n, 1, 9_007_199_255n],
  ])('of %d at %d millionths is %d', (subtotal, share, rounded) => {
    expect(roundShare(subtotal, share)).toBe(rounded);
  });

  test('is rounded to the nearest whole number, ties to even, and never exceeds the subtotal', () => {
    fc.assert(
      fc.property(minor, millionths, (subtotal, share) => {
        const rounded = roundShare(subtotal, share);
        const off = rounded * 1_000_000n - subtotal * BigInt(share);
        const distance = off < 0n ? -off : off;
        expect(distance <= 500_000n).toBe(true);
        if (distance === 500_000n) expect(rounded % 2n).toBe(0n);
        expect(rounded >= 0n && rounded <= subtotal).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is even for every tie', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 52n }), (half) => {
        expect(roundShare(2n * half + 1n, 500_000) % 2n).toBe(0n);
        expect(divideHalfEven(2n * half + 1n, 2n)).toBe(roundShare(2n * half + 1n, 500_000));
      }),
    );
  });
});
