import { type ChangeReason, inOrder, keyOf, type Reasons } from './change-reasons.ts';
import { isDue, type PlannedPayable } from './payable.ts';

/*
 * A payout with a preview's cutoff pays what was previewed, less what was taken back or held since then. It never pays
 * more than that (docs/adr/0083-paying-a-preview-that-changed.md).
 */

/** Returns what is left of a previewed payment, before the minimum is applied; 0 if the member wasn't due. */
export const leftOf = (payable: PlannedPayable): bigint =>
  !payable.isDue || payable.isHeldSince ? 0n : payable.amountMinor - payable.reversedMinor;

/**
 * Returns how much of a previewed payment can still be paid. A member whose remaining amount is below the minimum is
 * paid nothing, and the amount waits.
 */
export const stillOwed = (payable: PlannedPayable): bigint => payableOf(payable, leftOf(payable));

const payableOf = ({ minimumMinor }: PlannedPayable, leftMinor: bigint): bigint =>
  isDue(leftMinor, minimumMinor) ? leftMinor : 0n;

/** Returns whether a member would be paid less than the preview showed. */
export const hasFallen = (payable: PlannedPayable): boolean =>
  payable.isDue && stillOwed(payable) < payable.amountMinor;

/**
 * Returns whether a previewed amount can't be paid, not even in part, because the amount may have risen or its member
 * is unknown.
 */
export const isOutdated = (payable: PlannedPayable): boolean =>
  payable.isReleasedSince || (payable.isDue && payable.isUnclear);

/** Returns whether a member can't be paid as previewed, because something changed since the cutoff. */
export const hasChanged = (payable: PlannedPayable): boolean => hasFallen(payable) || isOutdated(payable);

/** Member who is paid less than the preview showed, or nothing. */
export interface Fall {
  payable: PlannedPayable;
  /** Amount in the preview. */
  beforeMinor: bigint;
  /** Amount that is paid; 0 for none. */
  afterMinor: bigint;
  reasons: ChangeReason[];
}

/**
 * Describes how far a member's amount fell.
 * @param leftMinor amount that is left, before the minimum is applied
 * @param found reasons read for the member
 */
export function fallOf(payable: PlannedPayable, leftMinor: bigint, found: Reasons): Fall {
  const afterMinor = payableOf(payable, leftMinor);
  const reasons = inOrder([
    ...(found.get(keyOf(payable)) ?? []),
    ...(payable.isHeldSince && !payable.isGatedSince ? (['hold'] as const) : []),
    ...(payable.isGatedSince ? (['gate'] as const) : []),
    ...(afterMinor === 0n && leftMinor > 0n ? (['minimum'] as const) : []),
  ]);
  return { payable, beforeMinor: payable.amountMinor, afterMinor, reasons };
}
