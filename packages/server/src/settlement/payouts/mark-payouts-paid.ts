import type { Actor } from '../../audit/actor.ts';
import { beginStep } from '../../platform/database/connections/request-budget.ts';
import type { Db } from '../../platform/database/database.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import { Refusal } from '../../platform/refusal.ts';
import { markPayoutPaid, type PaidPayout, type PaidPayoutParts } from './mark-payout-paid.ts';
import { type PayoutBatch, readPayouts } from './read/read-payouts.ts';

export interface PaidPayouts extends Pick<PaidPayout, 'publisherId'> {
  /** Payout ids as entered; see `getPayout`. */
  payoutIds: readonly string[];
  /** Total the actor confirmed for each currency, if confirmation is required. */
  totals?: readonly { currency: string; totalMinor: bigint }[];
}

export interface PaidOutcome {
  payout: PayoutBatch;
  /** Reason this payout wasn't marked as paid; null if it was, now or earlier. */
  refused: Refusal | null;
}

/**
 * Marks several payouts as paid, each in its own commit. If one is rejected, the others are still marked. After a
 * crash, the caller can safely retry.
 * @throws Refusal when a payout doesn't exist or the totals aren't the confirmed ones; nothing is marked as paid
 */
export async function markPayoutsPaid(
  parts: PaidPayoutParts,
  db: Db,
  actor: Actor,
  { publisherId, payoutIds, totals }: PaidPayouts,
): Promise<PaidOutcome[]> {
  const payouts = await readPayouts(db, publisherId, payoutIds);
  if (totals !== undefined) requireTotals(payouts, totals);
  const outcomes: PaidOutcome[] = [];
  for (const payout of payouts) {
    if (outcomes.length > 0) beginStep();
    const refused = await markPayoutPaid(parts, db, actor, { publisherId, payoutId: payout.batchId }).then(
      () => null,
      (error) => {
        if (!(error instanceof Refusal) || error.code === 'Unavailable') throw error;
        return error;
      },
    );
    outcomes.push({ payout, refused });
  }
  return outcomes;
}

/** A payout's total doesn't change once it is created, so the sums can be compared up front. */
function requireTotals(
  payouts: readonly PayoutBatch[],
  confirmed: readonly { currency: string; totalMinor: bigint }[],
): void {
  const totals = new Map<string, bigint>();
  for (const { currency, totalMinor } of payouts)
    totals.set(currency, (totals.get(currency) ?? 0n) + totalMinor);
  for (const { currency } of confirmed) if (!totals.has(currency)) totals.set(currency, 0n);
  for (const [currency, total] of totals) {
    const given = confirmed.filter((each) => each.currency === currency);
    if (given.length !== 1 || given[0]?.totalMinor !== total)
      throw new Refusal(
        'Conflict',
        `The total of these payouts in ${currency} is ${formatMinorUnits(total, currency)}, ` +
          `not ${given.map(({ totalMinor }) => formatMinorUnits(totalMinor, currency)).join(' or ') || 'confirmed'}. Nothing was marked as paid.`,
        { path: ['totals'] },
      );
  }
}
