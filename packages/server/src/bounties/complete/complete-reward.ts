import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';

export interface CompletedReward {
  id: string;
  name: string;
  externalId?: string;
  rewardCompleted: boolean;
  rewardReferenceId?: string;
}

export interface DeliveredReward {
  publisherId: string;
  groupId: string;
  rewardId: string;
  /** Publisher's own reference, 1 to 255 characters; null if there is none. */
  referenceId: string | null;
}

const maxReferenceLength = 255;

/**
 * Marks an External reward as delivered. The first call wins: later calls don't change the reference, even if
 * the first call sent none.
 * @throws Refusal BountyNotFound for an unknown reward, or a reward of another type, group or publisher;
 *   InvalidInput for an invalid reference
 */
export async function completeReward(
  db: Db,
  actor: Actor,
  { publisherId, groupId, rewardId, referenceId }: DeliveredReward,
): Promise<CompletedReward> {
  if (referenceId !== null && (referenceId === '' || [...referenceId].length > maxReferenceLength))
    throw new Refusal('InvalidInput', `referenceId must have 1 to ${maxReferenceLength} characters.`, {
      path: ['referenceId'],
    });
  if (!isRowId(rewardId)) throw rewardNotFound();
  const ofGroup = sql`
    g.publisher_id = ${publisherId} and g.progress_reward_id = ${rewardId}::uuid
    and d.publisher_id = ${publisherId} and d.reward_id = g.reward_id and d.type = 'External'
    and b.publisher_id = ${publisherId} and b.bounty_id = d.bounty_id and b.group_id = ${groupId}`;
  return inTransaction(db, async (tx) => {
    const { numAffectedRows: completed = 0n } = await sql`
      update progress_reward g
      set reward_completed = true, reward_reference_id = ${referenceId}
      from bounty_reward d
      cross join bounty b
      where ${ofGroup} and not g.reward_completed`.execute(tx);
    const { rows } = await sql<{
      name: string;
      external_id: string | null;
      reward_completed: boolean;
      reward_reference_id: string | null;
    }>`
      select d.name, d.external_id, g.reward_completed, g.reward_reference_id
      from progress_reward g
      cross join bounty_reward d
      cross join bounty b
      where ${ofGroup}`.execute(tx);
    const [reward] = rows;
    if (reward === undefined) throw rewardNotFound();
    const id = rewardId.toLowerCase();
    if (completed > 0n)
      await recordChange(tx, actor, {
        publisherId,
        action: 'bounty-reward.complete',
        target: `bounty-reward:${id}`,
        before: { rewardCompleted: false },
        after: { rewardCompleted: true, ...(referenceId !== null && { rewardReferenceId: referenceId }) },
      });
    return {
      id,
      name: reward.name,
      ...(reward.external_id !== null && { externalId: reward.external_id }),
      rewardCompleted: reward.reward_completed,
      ...(reward.reward_reference_id !== null && { rewardReferenceId: reward.reward_reference_id }),
    };
  });
}

const rewardNotFound = (): Refusal => new Refusal('BountyNotFound', 'Bounty Reward not found');
