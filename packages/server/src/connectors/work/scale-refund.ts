import { divideHalfEven } from '../../platform/percent.ts';

export interface Refunded {
  /** Subtotal of the purchase, without tax. */
  subtotalMinor: bigint;
  /** Amount that the buyer paid, with tax. */
  totalMinor: bigint;
  /** Amounts with tax that earlier events refunded. */
  beforeMinor: bigint;
  /** Amount with tax that is refunded now. */
  amountMinor: bigint;
}

/**
 * Converts a refund with tax to the part of the subtotal. Together, the parts are in proportion to the refunded total, so that rounding
 * leaves nothing when everything was refunded.
 * @returns null for all that is left
 */
export function scaleRefund({
  subtotalMinor,
  totalMinor,
  beforeMinor,
  amountMinor,
}: Refunded): bigint | null {
  const after = beforeMinor + amountMinor;
  if (totalMinor <= 0n || after >= totalMinor) return null;
  const scaled = (minor: bigint): bigint => divideHalfEven(subtotalMinor * minor, totalMinor);
  return scaled(after) - scaled(beforeMinor);
}
