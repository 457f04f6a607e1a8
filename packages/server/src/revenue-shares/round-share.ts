import { divideHalfEven } from '../platform/percent.ts';

/**
 * A member's share of one row.
 * @param subtotalMinor whole minor units of the row's currency, ≥ 1
 * @param shareMillionths 1_000_000 = the whole subtotal
 * @returns whole minor units, rounded half-even, 0 … subtotalMinor
 * @see docs/money.md
 */
export const roundShare = (subtotalMinor: bigint, shareMillionths: number): bigint =>
  divideHalfEven(subtotalMinor * BigInt(shareMillionths), 1_000_000n);
