import { divideHalfEven } from '../platform/percent.ts';

/**
 * Calculates a member's share of a row.
 * @param subtotalMinor whole minor units of the row's currency, ≥ 1
 * @param shareMillionths 1_000_000 is the whole subtotal
 * @returns whole minor units, rounded half-even, 0 … subtotalMinor
 * @see docs/money.md
 */
export const roundShare = (subtotalMinor: bigint, shareMillionths: number): bigint =>
  divideHalfEven(subtotalMinor * BigInt(shareMillionths), 1_000_000n);

/** Calculates the unrounded share in minor units, as decimal text. For example, 50 percent of 999 is 499.5. */
export function exactShare(subtotalMinor: bigint, shareMillionths: number): string {
  const product = subtotalMinor * BigInt(shareMillionths);
  const fraction = String(product % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${product / 1_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}
