import type {
  AccountId,
  BountyId,
  CompletionId,
  MembershipId,
  ObjectiveId,
  ProgressId,
  ProgressRewardId,
  RewardId,
} from '../../platform/database/tables.generated.ts';
import type { EventPayload } from '../../webhooks/event-text.ts';
import type { Condition, RewardType } from '../define/bounty-terms.ts';

export interface RewardDefinition {
  id: RewardId;
  name: string;
  type: RewardType;
  amountMinor: bigint | null;
  currency: string | null;
  skuId: string | null;
  skuName: string | null;
  externalId: string | null;
}

/** Progress of a member that is being checked. */
export interface DueProgress {
  progressId: ProgressId;
  membershipId: MembershipId;
  bountyId: BountyId;
  bountyName: string;
  groupId: string;
  groupName: string;
  accountId: AccountId;
  playerId: string | null;
  completionCount: number;
  /**
   * Number of completions that the totals cover, up to the limit; 0 before the bounty starts or while a
   * prerequisite is missing.
   */
  earnedCount: number;
  objectives: readonly { id: ObjectiveId; name: string; condition: Condition; count: number }[];
  rewards: readonly RewardDefinition[];
}

export interface Completion {
  id: CompletionId;
  /** Counted from 1 for each member and bounty. */
  number: number;
  progress: DueProgress;
  rewards: readonly { id: ProgressRewardId; definition: RewardDefinition }[];
}

/** Returns the payload for a completion's `Bounty/BountyReward` event, as defined by the contract. */
export function rewardEvent({ progress, rewards }: Completion): EventPayload {
  return {
    attributionGroupId: progress.groupId,
    attributionGroupName: progress.groupName,
    creatorId: progress.accountId,
    bountyId: progress.bountyId,
    bountyName: progress.bountyName,
    bountyProgressId: progress.progressId,
    bountyRewards: rewards.map(({ id, definition }) => {
      const externalId = definition.externalId ?? definition.skuId;
      return {
        id,
        name: definition.name,
        ...(definition.amountMinor !== null && { amount: Number(definition.amountMinor) }),
        ...(externalId !== null && { externalId }),
        creatorRewardId: definition.id,
        userId: progress.playerId ?? progress.accountId,
        ...(definition.skuId !== null && { sku: { id: definition.skuId, name: definition.skuName } }),
      };
    }),
  };
}
