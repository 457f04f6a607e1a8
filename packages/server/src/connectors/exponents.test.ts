import { describe, expect, test } from 'vitest';
import { toAmount, type Unit } from './exponents.ts';

const minor = (text: string, currency: string, unit: Unit): bigint =>
  toAmount({ text, currency }, unit).minor;

// Each row: currency, one whole major unit as the provider sends it, and the same in our minor units.
const units: Readonly<Record<Unit, readonly [string, string, bigint][]>> = {
  stripe: [
    ['USD', '100', 100n],
    ['JPY', '1', 1n],
    ['KRW', '1', 1n],
    ['ISK', '100', 1n],
    ['UGX', '100', 1n],
    ['HUF', '100', 100n],
    ['TWD', '100', 100n],
    ['KWD', '1000', 1_000n],
    ['CLP', '1', 1n],
    ['MGA', '1', 100n],
  ],
  minor: [
    ['USD', '100', 100n],
    ['JPY', '1', 1n],
    ['KRW', '1', 1n],
    ['ISK', '1', 1n],
    ['UGX', '1', 1n],
    ['HUF', '100', 100n],
    ['TWD', '100', 100n],
    ['KWD', '1000', 1_000n],
    ['CLP', '1', 1n],
  ],
  major: [
    ['USD', '1', 100n],
    ['USD', '1.0000', 100n],
    ['JPY', '1.0000', 1n],
    ['KRW', '1', 1n],
    ['ISK', '1', 1n],
    ['UGX', '1', 1n],
    ['HUF', '1', 100n],
    ['TWD', '1', 100n],
    ['KWD', '1', 1_000n],
    ['CLP', '1', 1n],
  ],
  hundredths: [
    ['USD', '100', 100n],
    ['JPY', '100', 1n],
    ['KRW', '100', 1n],
    ['ISK', '100', 1n],
    ['UGX', '100', 1n],
    ['HUF', '100', 100n],
    ['TWD', '100', 100n],
    ['KWD', '100', 1_000n],
    ['CLP', '100', 1n],
  ],
};

describe.each(Object.entries(units))('in units of %s', (unit, rows) => {
  test.each(rows)('%s %s is %s', (currency, text, expected) => {
    expect(minor(text, currency, unit as Unit)).toBe(expected);
  });
});

test('digits are shifted, so that no amount is off by a rounding error', () => {
  expect(minor('1.1', 'USD', 'major')).toBe(110n);
  expect(minor('4.35', 'USD', 'major')).toBe(435n);
  expect(minor('8.19', 'USD', 'major')).toBe(819n);
  expect(minor('90071992547409.91', 'USD', 'major')).toBe(9_007_199_254_740_991n);
});

test.each([
  ['1.999', 'USD', 'major'],
  ['150', 'ISK', 'stripe'],
  ['150', 'JPY', 'hundredths'],
  ['90071992547409.92', 'USD', 'major'],
  ['-1', 'USD', 'minor'],
  ['1e3', 'USD', 'minor'],
  ['', 'USD', 'minor'],
  ['1', 'XXX', 'minor'],
] as const)('%s %s in units of %s is rejected', (text, currency, unit) => {
  expect(() => minor(text, currency, unit)).toThrow();
});
