import type { Db } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';
import type { Payable } from './payable.ts';
import { type PayoutRequest, planPayout } from './plan-payout.ts';

export interface PayoutPreview {
  /** Given to creation, it pays exactly what the preview shows: by the publisher's clock. */
  asOf: Date;
  /** The same by the service's clock. */
  moment: Date;
  holdMs: number;
  /** What was bought up to then is out of the hold period. */
  heldAfter: Date;
  payables: Payable[];
}

/**
 * What a payout of a group would pay now, and what would wait. It is read in one snapshot and holds no lock.
 * @param request with an earlier preview's moment it shows again what that one showed
 * @throws Refusal when there is no such group, when a payout of it is being made, or when what was due at `asOf`
 *   is no longer known
 */
export async function previewPayout(db: Db, request: PayoutRequest): Promise<PayoutPreview> {
  const { scope, payables, made } = await planPayout(db, request);
  const [paid] = made;
  if (paid !== undefined)
    throw new Refusal(
      'Conflict',
      `What this preview showed is in the payout ${paid.batchId} of group ${request.groupId}; preview again.`,
    );
  return {
    asOf: laterBy(scope.heldAfter, scope.holdMs),
    moment: scope.asOf,
    holdMs: scope.holdMs,
    heldAfter: scope.heldAfter,
    payables: payables.map(
      ({ membershipIds, seenCount, recordingIds, reversedMinor, isUnclear, ...payable }) => payable,
    ),
  };
}
