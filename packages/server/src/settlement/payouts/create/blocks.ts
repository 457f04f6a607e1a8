import type { GateId, HoldId } from '../../../platform/database/tables.generated.ts';
import type { PayoutNeeds } from '../../../publishers/payout-needs.ts';

/**
 * Reasons that keep everything that a creator is due out of payouts. `hold`: a hold on the creator. `review`: the creator
 * is under review. `tax`: payouts need a tax clearance, and the creator has none. `no-method`: payouts need a payout method, and
 * the creator has none for the currency. `new-method`: the method can't be used yet.
 */
export const creatorBlocks = ['hold', 'review', 'tax', 'no-method', 'new-method'] as const;
export type CreatorBlock = (typeof creatorBlocks)[number];

/** `minimum`: the sum is below the minimum. */
export type Block = CreatorBlock | 'minimum';

export interface CreatorFacts {
  memberHoldIds: readonly HoldId[];
  reviewIds: readonly GateId[];
  isCleared: boolean;
  /** Time from which the creator's payout method for the currency can be used, on the publisher's clock; null without one. */
  methodUsableFrom: Date | null;
  /** Cutoff on the publisher's clock. */
  clockAt: Date;
  needs: PayoutNeeds;
}

export function creatorBlocksOf({
  memberHoldIds,
  reviewIds,
  isCleared,
  methodUsableFrom,
  clockAt,
  needs,
}: CreatorFacts): CreatorBlock[] {
  const isBlocking: Readonly<Record<CreatorBlock, boolean>> = {
    hold: memberHoldIds.length > 0,
    review: reviewIds.length > 0,
    tax: needs.taxCleared && !isCleared,
    'no-method': needs.method && methodUsableFrom === null,
    'new-method': needs.method && methodUsableFrom !== null && methodUsableFrom > clockAt,
  };
  return creatorBlocks.filter((block) => isBlocking[block]);
}

/**
 * Returns everything that keeps an amount out of a payout. Payouts and previews use this function alone, so they
 * agree. An amount that isn't positive is never paid and has no blocks.
 */
export function blocksOf(
  { amountMinor, minimumMinor }: { amountMinor: bigint; minimumMinor: bigint },
  creator: CreatorFacts,
): Block[] {
  if (amountMinor <= 0n) return [];
  return [...creatorBlocksOf(creator), ...(amountMinor < minimumMinor ? (['minimum'] as const) : [])];
}
