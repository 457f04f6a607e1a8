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
export const differences = <Terms>(
  frozen: Readonly<Record<string, (terms: Terms) => unknown>>,
  one: Terms,
  other: Terms,
): string[] => Object.entries(frozen).flatMap(([name, read]) => (read(one) === read(other) ? [] : [name]));

/** Whether two say the same, ids included. */
export const sameTerms = (one: BountyTerms, other: BountyTerms): boolean => textOf(one) === textOf(other);

const textOf = (terms: BountyTerms): string =>
  JSON.stringify(
    [
      terms.id,
      terms.name,
      terms.description,
      terms.imageSrc,
      terms.rewardDescription,
      terms.limit,
      terms.startsAt,
      terms.endsAt,
      [...terms.prerequisites].sort(),
      terms.objectives.map((each) => [
        each.id,
        each.name,
        each.type,
        each.condition,
        each.target,
        each.currency,
        each.eventCode,
        each.skus.map(({ id, name }) => [id, name]),
      ]),
      terms.rewards.map((each) => [
        each.id,
        each.name,
        each.type,
        each.amountMinor,
        each.currency,
        each.sku && [each.sku.id, each.sku.name],
        each.externalId,
      ]),
    ],
    (_key, value) => (typeof value === 'bigint' ? String(value) : value),
  );
