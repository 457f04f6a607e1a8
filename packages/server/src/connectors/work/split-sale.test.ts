import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaleRefund } from './scale-refund.ts';
import { readCodes, splitSale, spread } from './split-sale.ts';

const sumOf = (parts: readonly bigint[]): bigint => parts.reduce((sum, each) => sum + each, 0n);

test('parts add up to the amount, and none is further than one unit from its share', () => {
  const weights = fc.array(fc.bigInt(0n, 10n ** 12n), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n), weights, (amount, each) => {
      fc.pre(each.some((weight) => weight > 0n));
      const parts = spread(amount, each);
      const sum = sumOf(each);
      expect(sumOf(parts)).toBe(amount);
      parts.forEach((part, index) => {
        const exact = amount * (each[index] ?? 0n);
        expect(part * sum - exact < sum && exact - part * sum < sum).toBe(true);
      });
    }),
  );
});

test.each([
  ['ALICE', [['ALICE', 100n]]],
  [
    'ALICE:70,BOB:30',
    [
      ['ALICE', 70n],
      ['BOB', 30n],
    ],
  ],
  [
    'ALICE:33, BOB:33, CAROL',
    [
      ['ALICE', 33n],
      ['BOB', 33n],
      ['CAROL', 34n],
    ],
  ],
  [
    'ALICE:70,BOB:10',
    [
      ['ALICE', 70n],
      ['BOB', 30n],
    ],
  ],
  ['ALICE:100,BOB', null],
  ['ALICE:0,BOB', null],
  ['ALICE,BOB', null],
  ['ALICE:7.5,BOB', null],
  [':50,BOB', null],
  ['', null],
])('reads %j', (text, expected) => {
  expect(readCodes(text)?.map(({ code, percent }) => [code, percent]) ?? null).toEqual(expected);
});

test('more rows than a purchase may have are summed into one', () => {
  const items = Array.from({ length: 600 }, (_each, index) => ({
    skuId: `s-${index}`,
    name: null,
    weight: 1n,
  }));
  const subtotal = { minor: 1_200n, currency: 'USD' };
  const sale = { subtotal, total: subtotal, items, description: 'Many' };
  expect(splitSale(sale, [{ code: 'A', percent: 100n }])).toHaveLength(600);
  const shares = readCodes('A:50,B:50') ?? [];
  expect(
    splitSale(sale, shares).map(({ code, subtotalMinor, skuId }) => [code, subtotalMinor, skuId]),
  ).toEqual([
    ['A', 600n, null],
    ['B', 600n, null],
  ]);
});

test('refunds with tax that add up to what was paid take back the whole subtotal, whatever the parts', () => {
  const parts = fc.array(fc.bigInt(1n, 10_000n), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 9n), parts, (subtotalMinor, amounts) => {
      const totalMinor = sumOf(amounts);
      let beforeMinor = 0n;
      let taken = 0n;
      for (const amountMinor of amounts) {
        const part = scaleRefund({ subtotalMinor, totalMinor, beforeMinor, amountMinor });
        beforeMinor += amountMinor;
        if (part === null) expect(beforeMinor).toBe(totalMinor);
        else taken += part;
        expect(taken <= subtotalMinor).toBe(true);
      }
    }),
  );
});
