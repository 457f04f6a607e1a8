import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';

/** The contract's bounty reward completion record. */
export interface CompletedReward {
  id: string;
  name: string;
  externalId?: string;
  rewardCompleted: boolean;
  rewardReferenceId?: string;
}

/**
 * Says that the publisher has delivered an External reward. The first call decides, whatever comes after or at the
 * same time: its reference, or that there is none, stays.
 * @throws Refusal 404 BountyNotFound, for a reward that does not exist, is of another type, group or publisher alike
 */
export async function completeReward(
  db: Db,
  publisherId: string,
  groupId: string,
  rewardId: string,
  referenceId: string | null,
): Promise<CompletedReward> {
  if (!isRowId(rewardId)) throw rewardNotFound();
  const ofGroup = sql`
    r.publisher_id = ${publisherId} and r.progress_reward_id = ${rewardId}::uuid
    and d.publisher_id = ${publisherId} and d.reward_id = r.reward_id and d.type = 'External'
    and b.publisher_id = ${publisherId} and b.bounty_id = d.bounty_id and b.group_id = ${groupId}`;
  await sql`
    update progress_reward r
    set reward_completed = true, reward_reference_id = ${referenceId}
    from bounty_reward d
    cross join bounty b
    where ${ofGroup} and not r.reward_completed`.execute(db);
  const { rows } = await sql<{
    name: string;
    external_id: string | null;
    reward_completed: boolean;
    reward_reference_id: string | null;
  }>`
    select d.name, d.external_id, r.reward_completed, r.reward_reference_id
    from progress_reward r
    cross join bounty_reward d
    cross join bounty b
    where ${ofGroup}`.execute(db);
  const [reward] = rows;
  if (reward === undefined) throw rewardNotFound();
  return {
    id: rewardId.toLowerCase(),
    name: reward.name,
    ...(reward.external_id !== null && { externalId: reward.external_id }),
    rewardCompleted: reward.reward_completed,
    ...(reward.reward_reference_id !== null && { rewardReferenceId: reward.reward_reference_id }),
  };
}

const rewardNotFound = (): Refusal => new Refusal('BountyNotFound', 'Bounty Reward not found');
