import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideHalfEven, percentToMillionths } from '../../server/src/platform/percent.ts';
import { planRefund, type RefundableRow } from '../../server/src/settlement/refunds/plan-refund.ts';
import { proportion, roundPercent, spread } from '../src/testing/fake-rows.ts';

const amount = fc.integer({ min: 1, max: 10_000_000_000 });
const percent = fc.oneof(
  fc.integer({ min: 1_000_000, max: 100_000_000 }).map((millionths) => millionths / 1_000_000),
  // Ties between two storable percentages.
  fc.integer({ min: 10_000, max: 999_999 }).map((stored) => Number(`${stored}5`) / 100_000),
);

test('the fake calculates shares as the service does', () => {
  fc.assert(
    fc.property(amount, percent, (subtotal, sent) => {
      const shareMinor = divideHalfEven(BigInt(subtotal) * BigInt(percentToMillionths(sent)), 1_000_000n);
      expect(proportion(subtotal, roundPercent(sent), 100)).toBe(Number(shareMinor));
    }),
  );
});

test('the fake spreads refunds over rows as the service does', () => {
  fc.assert(
    fc.property(
      fc.array(amount, { minLength: 1, maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (left, part) => {
        const refunded = Math.max(Math.floor(left.reduce((sum, each) => sum + each, 0) * part), 1);
        const rows = left.map((each, index) => rowOf(index, each));
        const parts = planRefund(rows, { amountMinor: BigInt(refunded), rows: null });
        const expected = rows.map((row) => Number(parts.find((each) => each.row === row)?.grossMinor ?? 0n));
        expect(spread(refunded, left)).toEqual(expected);
      },
    ),
  );
});

const rowOf = (index: number, subtotal: number): RefundableRow => ({
  attributionId: `0198c000-0000-7000-8000-00000000000${index}` as RefundableRow['attributionId'],
  isTest: false,
  currency: 'USD',
  subtotalMinor: BigInt(subtotal),
  shareMinor: 0n,
  refundedMinor: 0n,
  reversedMinor: 0n,
  isAssigned: false,
});
