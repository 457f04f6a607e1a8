import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { BountyId, ObjectiveId, RewardId } from '../../platform/database/tables.generated.ts';
import type {
  Condition,
  ObjectiveType,
  RewardType,
  Sku,
  StoredBounty,
  StoredObjective,
  StoredReward,
} from './bounty-terms.ts';

interface BountyRow {
  bounty_id: BountyId;
  name: string;
  description: string | null;
  image_src: string | null;
  reward_description: string | null;
  completion_limit: number | null;
  starts_at: Date;
  ends_at: Date | null;
  ended_at: Date | null;
  prerequisites: BountyId[];
  objectives: ObjectiveRow[];
  rewards: RewardRow[];
}

interface ObjectiveRow {
  id: ObjectiveId;
  name: string;
  type: ObjectiveType;
  condition: Condition;
  target: string;
  currency: string | null;
  eventCode: string | null;
  skuIds: string[];
  skuNames: string[];
  isRemoved: boolean;
  isBegun: boolean;
}

interface RewardRow {
  id: RewardId;
  name: string;
  type: RewardType;
  amount: string | null;
  currency: string | null;
  skuId: string | null;
  skuName: string | null;
  externalId: string | null;
  isRemoved: boolean;
  isGiven: boolean;
}

export interface GroupKey {
  publisherId: string;
  groupId: string;
}

/**
 * Reads the bounties in a group, with their objectives and rewards in order. Removed objectives and rewards
 * come last.
 * @param bountyId limits the result to this bounty
 */
export async function readStoredBounties(
  tx: Db | Tx,
  { publisherId, groupId }: GroupKey,
  bountyId: BountyId | null = null,
): Promise<StoredBounty[]> {
  const { rows } = await sql<BountyRow>`
    select b.bounty_id, b.name, b.description, b.image_src, b.reward_description, b.completion_limit, b.starts_at, b.ends_at,
           b.ended_at,
           array(select q.requires_id from bounty_prerequisite q
                 where q.publisher_id = ${publisherId} and q.bounty_id = b.bounty_id order by 1) as prerequisites,
           (select json_agg(json_build_object(
                     'id', o.objective_id, 'name', o.name, 'type', o.type, 'condition', o.condition, 'target', o.target::text,
                     'currency', o.currency, 'eventCode', o.event_code, 'skuIds', o.sku_ids, 'skuNames', o.sku_names,
                     'isRemoved', o.removed_at is not null,
                     'isBegun', exists (select 1 from bounty_contribution c
                                        where c.publisher_id = ${publisherId} and c.objective_id = o.objective_id)
                             or exists (select 1 from bounty_progress p
                                        where p.publisher_id = ${publisherId} and p.bounty_id = b.bounty_id
                                          and p.completion_count > 0))
                   order by o.removed_at is not null, o.position, o.objective_id)
            from bounty_objective o
            where o.publisher_id = ${publisherId} and o.bounty_id = b.bounty_id) as objectives,
           (select json_agg(json_build_object(
                     'id', d.reward_id, 'name', d.name, 'type', d.type, 'amount', d.amount_minor::text,
                     'currency', d.currency, 'skuId', d.sku_id, 'skuName', d.sku_name, 'externalId', d.external_id,
                     'isRemoved', d.removed_at is not null,
                     'isGiven', exists (select 1 from progress_reward g
                                        where g.publisher_id = ${publisherId} and g.reward_id = d.reward_id))
                   order by d.removed_at is not null, d.position, d.reward_id)
            from bounty_reward d
            where d.publisher_id = ${publisherId} and d.bounty_id = b.bounty_id) as rewards
    from bounty b
    where b.publisher_id = ${publisherId} and b.group_id = ${groupId}
      and (${bountyId}::text is null or b.bounty_id = ${bountyId})
    order by b.created_at, b.bounty_id`.execute(tx);
  return rows.map(toBounty);
}

const toBounty = (row: BountyRow): StoredBounty => ({
  id: row.bounty_id,
  name: row.name,
  description: row.description,
  imageSrc: row.image_src,
  rewardDescription: row.reward_description,
  limit: row.completion_limit,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  isEnded: row.ended_at !== null,
  prerequisites: row.prerequisites,
  objectives: row.objectives.map(toObjective),
  rewards: row.rewards.map(toReward),
});

const toObjective = ({ target, skuIds, skuNames, ...row }: ObjectiveRow): StoredObjective => ({
  ...row,
  target: BigInt(target),
  skus: skuIds.map((id, index): Sku => ({ id, name: skuNames[index] ?? id })),
});

const toReward = ({ amount, skuId, skuName, ...row }: RewardRow): StoredReward => ({
  ...row,
  amountMinor: amount === null ? null : BigInt(amount),
  sku: skuId === null ? null : { id: skuId, name: skuName ?? skuId },
});
