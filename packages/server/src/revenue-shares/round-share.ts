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

/** The same before it is rounded, in minor units, as a decimal text: 999 at 50 percent are 499.5. */
export function exactShare(subtotalMinor: bigint, shareMillionths: number): string {
  const product = subtotalMinor * BigInt(shareMillionths);
  const fraction = String(product % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${product / 1_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}
