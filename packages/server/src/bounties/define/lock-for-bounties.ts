import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { lockOutPosting } from '../../settlement/settlement-lock.ts';
import type { BountyInput } from './bounty-input.ts';
import type { BountyTerms } from './bounty-terms.ts';
import { planBounties } from './plan-bounties.ts';
import { readTerms } from './read-terms.ts';
import { readStoredBounties } from './stored-bounties.ts';

/**
 * Locks out posting if a bounty will be created or changed. An operation that saves bounties together with
 * other objects calls this before it takes any other lock on the publisher. Unchanged bounties need no lock.
 *
 * The decision is made without a lock. If a bounty changes before `putBounties` runs, `putBounties` locks out
 * posting only after it has locked the program, in violation of the usual lock order. If that order leads to
 * a deadlock, PostgreSQL cancels one transaction, which `inTransaction` then retries. The retry sees the
 * change.
 */
export async function lockForBounties(
  tx: Tx,
  publisherId: string,
  groups: readonly { groupId: string; bounties: readonly BountyInput[] }[],
): Promise<void> {
  for (const { groupId, bounties } of groups) {
    const terms = termsOf(bounties);
    if (terms.length === 0) continue;
    const stored = await readStoredBounties(tx, { publisherId, groupId });
    if (planBounties(groupId, terms, stored).every(({ change }) => change === null)) continue;
    await lockOutPosting(tx, publisherId);
    return;
  }
}

/** Reads the terms of bounties. Returns an empty list if `putBounties` will reject the bounties. */
function termsOf(bounties: readonly BountyInput[]): BountyTerms[] {
  try {
    return bounties.map(readTerms);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [];
  }
}
