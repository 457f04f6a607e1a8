import type { Facts } from '../../audit/record-change.ts';
import type { BountyId, ObjectiveId, RewardId } from '../../platform/database/tables.generated.ts';

export type ObjectiveType = 'Purchase' | 'NewPlayers' | 'Event';
export type Condition = 'Count' | 'Amount';
export type RewardType = 'External' | 'Payment' | 'Sku';

export interface Sku {
  id: string;
  name: string;
}

export interface ObjectiveTerms {
  /**
   * Null if no id was sent. In that case, the position in the list identifies the objective, and a new
   * objective gets a generated id.
   */
  id: string | null;
  name: string;
  type: ObjectiveType;
  condition: Condition;
  /** Number of purchases, players or events, or minor units for an Amount; 1 … 2^53 − 1. */
  target: bigint;
  /** Null for any currency; never null for an Amount. */
  currency: string | null;
  eventCode: string | null;
  /** Empty for any SKU. */
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

/** Definition of a bounty. The window is half-open, [startsAt, endsAt). */
export interface BountyTerms {
  /**
   * Null if no id was sent. In that case, the name identifies the bounty in its group, and a new bounty gets
   * a generated id.
   */
  id: string | null;
  name: string;
  description: string | null;
  imageSrc: string | null;
  rewardDescription: string | null;
  /** Maximum number of completions per member; null for no limit. */
  limit: number | null;
  startsAt: Date;
  endsAt: Date | null;
  prerequisites: readonly string[];
  objectives: readonly ObjectiveTerms[];
  rewards: readonly RewardTerms[];
}

/** Bounty definition whose parts all have ids. */
export interface PlannedBounty extends BountyTerms {
  id: BountyId;
  objectives: readonly (ObjectiveTerms & { id: ObjectiveId })[];
  rewards: readonly (RewardTerms & { id: RewardId })[];
}

export interface StoredBounty extends BountyTerms {
  id: BountyId;
  /** True if the bounty was ended manually. Its end can no longer change. */
  isEnded: boolean;
  objectives: readonly StoredObjective[];
  rewards: readonly StoredReward[];
}

export interface StoredObjective extends ObjectiveTerms {
  id: ObjectiveId;
  isRemoved: boolean;
  /** True if a contribution has counted toward this objective or a member has completed the bounty. */
  isBegun: boolean;
}

export interface StoredReward extends RewardTerms {
  id: RewardId;
  isRemoved: boolean;
  /** True if a member has received this reward. */
  isGiven: boolean;
}

/**
 * Properties of an objective that can't change after a contribution has counted toward the objective or a
 * member has completed the bounty.
 */
export const frozenObjectiveFields = {
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

/** Properties of a reward that can't change after a member has received it. */
export const frozenRewardFields = {
  type: ({ type }: RewardTerms) => type,
  amount: ({ amountMinor }: RewardTerms) => String(amountMinor),
  currency: ({ currency }: RewardTerms) => currency,
  sku: ({ sku }: RewardTerms) => sku?.id ?? null,
} as const;

export const changedIn = <Terms>(
  frozen: Readonly<Record<string, (terms: Terms) => unknown>>,
  one: Terms,
  other: Terms,
): string[] => Object.entries(frozen).flatMap(([name, read]) => (read(one) === read(other) ? [] : [name]));

export interface BountyFacts extends Facts {
  imageSrc: string | null;
}

/**
 * Returns the facts about a bounty for comparisons. A stored bounty must be passed without its removed parts.
 */
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
