import { setTierOfCreators } from '../../../client/sdk.gen.ts';
import type { ShownOutcome } from './shown-outcome.ts';
import { membersOf, undoneWords } from './use-tags.ts';

/**
 * Restores the previous tiers of the creators who still have the tier that was set.
 * @returns text that describes the result
 */
export async function undoTier(
  publisherId: string,
  outcomes: readonly ShownOutcome[],
  from: string | null,
): Promise<string> {
  const done = outcomes.filter(({ outcome }) => outcome === 'done');
  let undone = 0;
  for (const [tier, changed] of Map.groupBy(done, ({ tierBefore }) => tierBefore)) {
    const { data } = await setTierOfCreators({
      path: { publisherId },
      body: { members: membersOf(changed), tier, from },
      throwOnError: true,
    });
    undone += membersOf(data.outcomes).length;
  }
  return undoneWords(undone, done.length);
}
