import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { lockOutPosting } from '../../settlement/settlement-lock.ts';
import type { BountyInput } from './bounty-input.ts';
import type { BountyTerms } from './bounty-terms.ts';
import { planBounties } from './plan-bounties.ts';
import { readTerms } from './read-terms.ts';
import { readStoredBounties } from './stored-bounties.ts';

/**
 * Called before anything else of a publisher is locked, by whoever will put bounties among other things: when one of
 * them is not there yet, or says something else, no set is settled until the commit. What is there keeps nobody waiting.
 *
 * It decides without a lock. When a bounty is changed between this and `putBounties`, that one locks out settling after
 * the program, in the order that everybody else avoids: should two then wait for each other, PostgreSQL breaks off one
 * of them, and `inTransaction` tries it again, which sees the change.
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

/** None where putting them will be refused. */
function termsOf(bounties: readonly BountyInput[]): BountyTerms[] {
  try {
    return bounties.map(readTerms);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [];
  }
}
