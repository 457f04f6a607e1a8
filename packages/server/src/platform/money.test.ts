import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxAmountMinor, toMinorUnits } from './money.ts';

const exponent = fc.integer({ min: 0, max: 8 });

/** Formats minor units the way a client would: 1234 with two decimal places is 12.34. */
const decimal = (minor: bigint, digits: number): string => {
  const text = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

describe('toMinorUnits', () => {
  test('converts every decimal exactly', () => {
    fc.assert(
      // A JSON number can represent any decimal number with up to 15 significant digits.
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), exponent, (minor, digits) => {
        expect(toMinorUnits(Number(decimal(minor, digits)), digits)).toBe(minor);
      }),
      { numRuns: 2_000 },
    );
  });

  test('rejects an amount with more decimals than its currency has', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999_999_999_999n }), exponent, (minor, digits) => {
        fc.pre(minor % 10n !== 0n);
        expect(toMinorUnits(Number(decimal(minor, digits + 1)), digits)).toBeNull();
      }),
    );
  });

  test.each([
    [0.1, 2, 10n],
    [1.1, 2, 110n],
    [4.35, 2, 435n],
    [1e-8, 8, 1n],
    [1.5e-7, 8, 15n],
    [1e15, 0, 1_000_000_000_000_000n],
    [9_007_199_254_740_991, 0, 9_007_199_254_740_991n],
    [0, 2, 0n],
    [-0, 0, 0n],
    [-0, 2, 0n],
  ])('converts %d with %d decimals to %d', (value, digits, minor) => {
    expect(toMinorUnits(value, digits)).toBe(minor);
  });

  test.each([
    [-1, 0],
    [-0.01, 2],
    [0.5, 0],
    [1e-9, 8],
    [1e16, 2],
    [1e300, 2],
    [1e300, 0],
    [5e-324, 8],
    [9_007_199_254_740_992, 0],
    [Number.NaN, 0],
    [Number.NaN, 2],
    [Number.POSITIVE_INFINITY, 0],
    [Number.POSITIVE_INFINITY, 2],
    [Number.NEGATIVE_INFINITY, 2],
  ])('rejects %d with %d decimals', (value, digits) => {
    expect(toMinorUnits(value, digits)).toBeNull();
  });

  test('never returns an amount out of range', () => {
    fc.assert(
      fc.property(fc.double(), exponent, (value, digits) => {
        const minor = toMinorUnits(value, digits);
        return minor === null || (minor >= 0n && minor <= maxAmountMinor);
      }),
      { numRuns: 5_000 },
    );
  });
});
