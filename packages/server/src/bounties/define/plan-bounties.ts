import { type Differences, differences } from '../../audit/differences.ts';
import type { Facts } from '../../audit/record-change.ts';
import { maybeUrlInAudit } from '../../audit/url-in-audit.ts';
import { newPublicId, toBountyId, toObjectiveId, toRewardId } from '../../platform/ids.ts';
import { versionOf } from '../../platform/version.ts';
import {
  type BountyFacts,
  type BountyTerms,
  bountyFacts,
  type PlannedBounty,
  type StoredBounty,
} from './bounty-terms.ts';

export interface BountyPlan {
  bounty: PlannedBounty;
  /** Null for a new bounty. */
  stored: StoredBounty | null;
  /** Null if nothing changes. */
  change: Differences<Facts> | { before: null; after: Facts } | null;
}

/**
 * Matches wanted bounties to stored ones and decides every id: the given id, otherwise the id of the stored
 * bounty with the same name or the stored part at the same position, otherwise a new id.
 * @param stored bounties in the group
 */
export function planBounties(
  groupId: string,
  wanted: readonly BountyTerms[],
  stored: readonly StoredBounty[],
): BountyPlan[] {
  const named = new Set(wanted.flatMap(({ id }) => (id === null ? [] : [id])));
  return wanted.map((terms) => {
    const before = stored.find(({ id, name }) =>
      terms.id === null ? name === terms.name && !named.has(id) : id === terms.id,
    );
    const bounty = {
      ...terms,
      id: before?.id ?? toBountyId(terms.id ?? newPublicId()),
      // A bounty that was ended manually keeps its end.
      endsAt: before?.isEnded ? before.endsAt : terms.endsAt,
      objectives: withIds(terms.objectives, before?.objectives ?? [], toObjectiveId),
      rewards: withIds(terms.rewards, before?.rewards ?? [], toRewardId),
    };
    const after = bountyFacts(groupId, bounty);
    if (before === undefined)
      return { bounty, stored: null, change: { before: null, after: inAudit(after) } };
    const change = differences(bountyFacts(groupId, withoutRemoved(before)), after);
    return {
      bounty,
      stored: before,
      change: change && { before: inAudit(change.before), after: inAudit(change.after) },
    };
  });
}

/** Removes the query string from the image's URL for the audit log. Comparisons use the full URL. */
const inAudit = (facts: Partial<BountyFacts>): Facts =>
  facts.imageSrc === undefined ? facts : { ...facts, imageSrc: maybeUrlInAudit(facts.imageSrc) };

function withIds<Part extends { id: string | null }, Id extends string>(
  parts: readonly Part[],
  stored: readonly (Part & { id: Id; isRemoved: boolean })[],
  toId: (text: string) => Id,
): (Part & { id: Id })[] {
  const named = new Set(parts.map(({ id }) => id));
  const live = stored.filter(({ isRemoved }) => !isRemoved);
  return parts.map((part, index) => {
    const atPlace = live[index]?.id;
    const its = part.id ?? (atPlace !== undefined && !named.has(atPlace) ? atPlace : newPublicId());
    return { ...part, id: toId(its) };
  });
}

/** Returns the version of a bounty, which is used to detect stale edits. */
export const bountyVersion = (groupId: string, stored: StoredBounty): string =>
  versionOf(bountyFacts(groupId, withoutRemoved(stored)));

const withoutRemoved = (bounty: StoredBounty): StoredBounty => ({
  ...bounty,
  objectives: bounty.objectives.filter(({ isRemoved }) => !isRemoved),
  rewards: bounty.rewards.filter(({ isRemoved }) => !isRemoved),
});
