import {
  frozenObjectiveFields,
  frozenRewardFields,
  type StoredBounty,
  type StoredObjective,
  type StoredReward,
} from '../../bounties/define/bounty-terms.ts';
import { stateOf } from '../../bounties/read/bounty-state.ts';
import { getBountyToEdit } from '../../bounties/read/get-bounty-to-edit.ts';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import { provenanceOf } from '../provenance.ts';
import type { BountyDetail } from './bounty-schemas.ts';

/**
 * Returns a bounty with its terms, its locked fields, and how often it was begun and completed.
 * @throws Refusal NotFound
 */
export async function getBounty(
  db: Db,
  { publisherId, bountyId }: { publisherId: string; bountyId: BountyId },
  now: Date,
): Promise<BountyDetail> {
  const { groupId, stored, ...rest } = await getBountyToEdit(db, { publisherId, bountyId });
  return {
    bountyId,
    groupId,
    name: stored.name,
    description: stored.description,
    imageSrc: stored.imageSrc,
    rewardDescription: stored.rewardDescription,
    limit: stored.limit,
    startsAt: stored.startsAt,
    endsAt: stored.endsAt,
    isEnded: stored.isEnded,
    state: stateOf(stored, now),
    locked: lockedOf(stored),
    objectives: stored.objectives.filter(({ isRemoved }) => !isRemoved).map(shownObjective),
    rewards: stored.rewards.filter(({ isRemoved }) => !isRemoved).map(shownReward),
    ...rest,
    provenance: await provenanceOf(db, publisherId, `bounty:${bountyId}`),
  };
}

function lockedOf({ objectives, isEnded }: StoredBounty): BountyDetail['locked'] {
  const isBegun = objectives.some((each) => each.isBegun);
  const fields = [...(isBegun ? ['startsAt'] : []), ...(isEnded ? ['endsAt'] : [])];
  if (fields.length === 0) return null;
  const reasons = [
    ...(isBegun ? ["Creators have started this bounty, so its start can't change."] : []),
    ...(isEnded ? ["This bounty was ended, so its end can't change."] : []),
  ];
  return { fields, reason: reasons.join(' ') };
}

const shownObjective = ({ isBegun, isRemoved: _isRemoved, target, skus, ...rest }: StoredObjective) => ({
  ...rest,
  count: String(target),
  skus: [...skus],
  locked: isBegun
    ? {
        fields: Object.keys(frozenObjectiveFields),
        reason:
          "Creators have started this objective, so what it counts can't change. Remove it and add another one.",
      }
    : null,
});

const shownReward = ({ isGiven, isRemoved: _isRemoved, amountMinor, ...rest }: StoredReward) => ({
  ...rest,
  amount: amountMinor === null ? null : String(amountMinor),
  locked: isGiven
    ? {
        fields: Object.keys(frozenRewardFields),
        reason: "Creators have received this reward, so it can't change. Remove it and add another one.",
      }
    : null,
});
