import type { Db } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';
import type { Payable } from './payable.ts';
import { type PayoutRequest, planPayout } from './plan-payout.ts';

export interface PayoutPreview {
  /**
   * Cutoff on the publisher's clock. A payout created with this cutoff pays exactly the previewed amounts.
   */
  asOf: Date;
  /** Cutoff on the service's clock. */
  cutoff: Date;
  holdMs: number;
  /** Latest date of a purchase that is past the hold period. */
  heldAfter: Date;
  payables: Payable[];
}

/**
 * Calculates the amounts that a payout of a group would pay now, and the amounts that would wait for a later
 * payout. Reads one snapshot without locks.
 * @param request if it has the cutoff of an earlier preview, the result matches that preview
 * @throws Refusal when the group does not exist, a payout of the group is in progress, or the amounts due at
 *   `asOf` can no longer be calculated
 */
export async function previewPayout(db: Db, request: PayoutRequest): Promise<PayoutPreview> {
  const { scope, payables, made } = await planPayout(db, request);
  const [paid] = made;
  if (paid !== undefined)
    throw new Refusal(
      'Conflict',
      `Payout ${paid.batchId} of group ${request.groupId} was created from this preview. Preview the payout again.`,
    );
  return {
    asOf: laterBy(scope.heldAfter, scope.holdMs),
    cutoff: scope.asOf,
    holdMs: scope.holdMs,
    heldAfter: scope.heldAfter,
    payables: payables.map(
      ({ membershipIds, seenCount, recordingIds, reversedMinor, isUnclear, ...payable }) => payable,
    ),
  };
}
