import type { Facts } from '../../audit/record-change.ts';
import type { BountyId, ObjectiveId, RewardId } from '../../platform/database/tables.generated.ts';

export type ObjectiveType = 'Purchase' | 'NewPlayers' | 'Event';
export type Condition = 'Count' | 'Amount';
export type RewardType = 'External' | 'Payment' | 'Sku';

export interface Sku {
  id: string;
  name: string;
}

/** What one objective asks for. */
export interface ObjectiveTerms {
  /** Null: made up for a new one; then its place among the objectives tells which one it is. */
  id: string | null;
  name: string;
  type: ObjectiveType;
  condition: Condition;
  /** Purchases, players or events, or for an Amount whole minor units; 1 … 2^53 − 1. */
  target: bigint;
  /** Null: any; never for an Amount. */
  currency: string | null;
  eventCode: string | null;
  /** Empty: any. */
  skus: readonly Sku[];
}

export interface RewardTerms {
  id: string | null;
  name: string;
  type: RewardType;
  amountMinor: bigint | null;
  currency: string | null;
  sku: Sku | null;
  externalId: string | null;
}

/** All that a bounty says. Its window is half-open, [startsAt, endsAt). */
export interface BountyTerms {
  /** Null: made up for a new one; then its name tells which one of its group it is. */
  id: string | null;
  name: string;
  description: string | null;
  imageSrc: string | null;
  rewardDescription: string | null;
  /** Completions of one member; null: no limit. */
  limit: number | null;
  startsAt: Date;
  endsAt: Date | null;
  prerequisites: readonly string[];
  objectives: readonly ObjectiveTerms[];
  rewards: readonly RewardTerms[];
}

/** A bounty whose ids are all decided. */
export interface PlannedBounty extends BountyTerms {
  id: BountyId;
  objectives: readonly (ObjectiveTerms & { id: ObjectiveId })[];
  rewards: readonly (RewardTerms & { id: RewardId })[];
}

/** A bounty as it is defined, with what decides whether it may be changed. */
export interface StoredBounty extends BountyTerms {
  id: BountyId;
  /** Ended by command; its end stays. */
  isEnded: boolean;
  objectives: readonly StoredObjective[];
  rewards: readonly StoredReward[];
}

export interface StoredObjective extends ObjectiveTerms {
  id: ObjectiveId;
  isRemoved: boolean;
  /** Something counts for it, or a member has completed its bounty. */
  isBegun: boolean;
}

export interface StoredReward extends RewardTerms {
  id: RewardId;
  isRemoved: boolean;
  /** It was given to somebody. */
  isGiven: boolean;
}

/** What makes an objective count what it counts; frozen when it has begun. */
export const frozenOfObjective = {
  type: ({ type }: ObjectiveTerms) => type,
  condition: ({ condition }: ObjectiveTerms) => condition,
  count: ({ target }: ObjectiveTerms) => String(target),
  currency: ({ currency }: ObjectiveTerms) => currency,
  eventCode: ({ eventCode }: ObjectiveTerms) => eventCode,
  skus: ({ skus }: ObjectiveTerms) =>
    skus
      .map(({ id }) => id)
      .sort()
      .join('\0'),
} as const;

/** What a reward is; frozen when it was given. */
export const frozenOfReward = {
  type: ({ type }: RewardTerms) => type,
  amount: ({ amountMinor }: RewardTerms) => String(amountMinor),
  currency: ({ currency }: RewardTerms) => currency,
  sku: ({ sku }: RewardTerms) => sku?.id ?? null,
} as const;

/** @returns the names of those properties in which two differ */
export const changedIn = <Terms>(
  frozen: Readonly<Record<string, (terms: Terms) => unknown>>,
  one: Terms,
  other: Terms,
): string[] => Object.entries(frozen).flatMap(([name, read]) => (read(one) === read(other) ? [] : [name]));

/** Facts of a bounty; the address of its image is whole. */
export interface BountyFacts extends Facts {
  imageSrc: string | null;
}

/** All that a bounty says, to be compared. Of one that is stored, without what was removed from it. */
export const bountyFacts = (groupId: string, terms: BountyTerms): BountyFacts => ({
  group: groupId,
  name: terms.name,
  description: terms.description,
  imageSrc: terms.imageSrc,
  rewardDescription: terms.rewardDescription,
  limit: terms.limit,
  startsAt: terms.startsAt.toISOString(),
  endsAt: terms.endsAt?.toISOString() ?? null,
  prerequisites: [...terms.prerequisites].sort(),
  objectives: terms.objectives.map(({ id, name, type, condition, target, currency, eventCode, skus }) => ({
    id,
    name,
    type,
    condition,
    count: Number(target),
    currency,
    eventCode,
    skus: skus.map(skuFacts),
  })),
  rewards: terms.rewards.map(({ id, name, type, amountMinor, currency, sku, externalId }) => ({
    id,
    name,
    type,
    amount: amountMinor === null ? null : Number(amountMinor),
    currency,
    sku: sku && skuFacts(sku),
    externalId,
  })),
});

const skuFacts = ({ id, name }: Sku): Sku => ({ id, name });
