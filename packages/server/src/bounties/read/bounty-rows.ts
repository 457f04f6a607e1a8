import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import type { BountyRecord } from './bounty-record.ts';

interface BountyRow {
  bounty_id: BountyId;
  name: string;
  description: string | null;
  image_src: string | null;
  reward_description: string | null;
  completion_limit: number | null;
  starts_at: Date;
  ends_at: Date | null;
  last_progress_check: Date | null;
  objectives: BountyRecord['objectives'];
  rewards: BountyRecord['rewards'];
  prerequisites: BountyRecord['prerequisites'];
  dependants: BountyRecord['dependants'];
}

export const byStart = sql`order by b.starts_at, b.bounty_id`;

/**
 * Reads bounties, earliest start first.
 * @param which condition for the bounties `b`, with the order and limits for a page
 */
export async function readBounties(
  db: Db,
  publisherId: string,
  which: RawBuilder<unknown>,
): Promise<BountyRecord[]> {
  const { rows } = await sql<BountyRow>`
    select b.*, objectives.list as objectives, rewards.list as rewards, prerequisites.list as prerequisites,
           dependants.list as dependants
    from (
      select b.bounty_id, b.name, b.description, b.image_src, b.reward_description, b.completion_limit, b.starts_at,
             b.ends_at, b.last_progress_check
      from bounty b
      where b.publisher_id = ${publisherId} and ${which}
    ) b
    cross join lateral (
      select coalesce(json_agg(json_strip_nulls(json_build_object(
               'id', o.objective_id, 'name', o.name, 'type', o.type, 'condition', o.condition, 'count', o.target,
               'currency', o.currency, 'eventCode', o.event_code,
               'skus', (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name) order by s.place), '[]')
                        from unnest(o.sku_ids, o.sku_names) with ordinality as s (id, name, place))
             )) order by o.position, o.objective_id), '[]') as list
      from bounty_objective o
      where o.publisher_id = ${publisherId} and o.bounty_id = b.bounty_id and o.removed_at is null
    ) objectives
    cross join lateral (
      select coalesce(json_agg(json_strip_nulls(json_build_object(
               'id', d.reward_id, 'name', d.name, 'type', d.type,
               'sku', case when d.sku_id is not null then json_build_object('id', d.sku_id, 'name', d.sku_name) end,
               'amount', d.amount_minor, 'currency', d.currency, 'externalId', d.external_id
             )) order by d.position, d.reward_id), '[]') as list
      from bounty_reward d
      where d.publisher_id = ${publisherId} and d.bounty_id = b.bounty_id and d.removed_at is null
    ) rewards
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', other.bounty_id, 'name', other.name) order by other.bounty_id), '[]') as list
      from bounty_prerequisite q
      join bounty other on other.publisher_id = ${publisherId} and other.bounty_id = q.requires_id
      where q.publisher_id = ${publisherId} and q.bounty_id = b.bounty_id
    ) prerequisites
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', other.bounty_id, 'name', other.name) order by other.bounty_id), '[]') as list
      from bounty_prerequisite q
      join bounty other on other.publisher_id = ${publisherId} and other.bounty_id = q.bounty_id
      where q.publisher_id = ${publisherId} and q.requires_id = b.bounty_id
    ) dependants
    ${byStart}`.execute(db);
  return rows.map(toRecord);
}

const toRecord = (row: BountyRow): BountyRecord => ({
  id: row.bounty_id,
  name: row.name,
  ...(row.description !== null && { description: row.description }),
  ...(row.image_src !== null && { imageSrc: row.image_src }),
  ...(row.reward_description !== null && { rewardDescription: row.reward_description }),
  ...(row.completion_limit !== null && { limit: row.completion_limit }),
  startsAt: row.starts_at.toISOString(),
  ...(row.ends_at !== null && { endsAt: row.ends_at.toISOString() }),
  ...(row.last_progress_check !== null && { lastProgressCheck: row.last_progress_check.toISOString() }),
  objectives: row.objectives,
  rewards: row.rewards,
  prerequisites: row.prerequisites,
  dependants: row.dependants,
});
