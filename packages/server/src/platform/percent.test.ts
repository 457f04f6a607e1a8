import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideHalfEven, millionthsToPercent, percentToMillionths } from './percent.ts';

describe('percentToMillionths', () => {
  test('converts percentages of four decimals without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (millionths) => {
        const percent = millionthsToPercent(millionths);
        expect(percent).toBe(Number(`${millionths}e-4`));
        expect(percentToMillionths(percent)).toBe(millionths);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    [0, 0],
    [1, 10_000],
    [100, 1_000_000],
    [12.3456, 123_456],
    [0.00005, 0],
    [0.00015, 2],
    [0.00025, 2],
    [0.000250001, 3],
    [12.34565, 123_456],
    [12.34575, 123_458],
    [1e-7, 0],
    [99.99995, 1_000_000],
    [33.333333333333336, 333_333],
  ])('converts %d to %d millionths, rounding ties to even', (percent, millionths) => {
    expect(percentToMillionths(percent)).toBe(millionths);
  });

  test.each([-1, -0.0001, 100.0001, 1e21, Number.NaN, Number.POSITIVE_INFINITY])('rejects %d', (percent) => {
    expect(() => percentToMillionths(percent)).toThrow(RangeError);
  });

  test('is never off by more than half a millionth', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (percent) => {
        fc.pre(!Object.is(percent, -0));
        const millionths = percentToMillionths(percent);
        expect(Number.isInteger(millionths)).toBe(true);
        expect(Math.abs(millionths - percent * 10_000)).toBeLessThanOrEqual(0.5 + 1e-9);
      }),
    );
  });
});

describe('divideHalfEven', () => {
  test.each([
    [1n, 2n, 0n],
    [3n, 2n, 2n],
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [0n, 5n, 0n],
    [10n, 5n, 2n],
    [15n, 10n, 2n],
    [25n, 10n, 2n],
  ])('rounds %d / %d to %d', (dividend, divisor, quotient) => {
    expect(divideHalfEven(dividend, divisor)).toBe(quotient);
  });

  test('rounds to the nearest number, and ties to the even one', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 22n });
    fc.assert(
      fc.property(amount, fc.bigInt({ min: 1n, max: 10n ** 12n }), (dividend, divisor) => {
        const quotient = divideHalfEven(dividend, divisor);
        const off = 2n * (dividend - quotient * divisor);
        const distance = off < 0n ? -off : off;
        return distance < divisor || (distance === divisor && quotient % 2n === 0n);
      }),
    );
  });
});
