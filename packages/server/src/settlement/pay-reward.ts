import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import type { MembershipId, ProgressRewardId } from '../platform/database/tables.generated.ts';
import { posting } from './ledger.ts';

export interface RewardPayment {
  /** Reward for one completion. It is paid only once. */
  progressRewardId: ProgressRewardId;
  groupId: string;
  membershipId: MembershipId;
  currency: string;
  /** 1 … 2^53 − 1 */
  amountMinor: bigint;
  /** Start of the group's hold period. */
  earnedAt: Date;
}

/**
 * Adds rewards to the members' balances, with a ledger entry for each. Payouts pay rewards along with shares. The
 * caller must have locked the publisher for posting and the memberships, and must pass each reward only once.
 */
export async function payRewards(
  tx: Tx,
  publisherId: string,
  rewards: readonly RewardPayment[],
): Promise<void> {
  if (rewards.length === 0) return;
  const settledAt = await readMoment(tx);
  await sql`
    with given as (
      insert into reward_payment (publisher_id, progress_reward_id, group_id, membership_id, currency, amount_minor,
                                  earned_at, settled_at)
      select ${publisherId}, progress_reward_id, group_id, membership_id, currency, amount_minor, earned_at, ${settledAt}
      from unnest(
        ${rewards.map(({ progressRewardId }) => progressRewardId)}::uuid[],
        ${rewards.map(({ groupId }) => groupId)}::text[],
        ${rewards.map(({ membershipId }) => membershipId)}::uuid[],
        ${rewards.map(({ currency }) => currency)}::text[],
        ${rewards.map(({ amountMinor }) => String(amountMinor))}::bigint[],
        ${rewards.map(({ earnedAt }) => earnedAt)}::timestamptz[]
      ) as r (progress_reward_id, group_id, membership_id, currency, amount_minor, earned_at)
      returning progress_reward_id, membership_id, currency, amount_minor
    ),
    entry as (
      select progress_reward_id as subject_id, 'payment' as kind, membership_id, currency, amount_minor from given
    ),
    ${posting(publisherId, 'entry')}
    select 1`.execute(tx);
}
