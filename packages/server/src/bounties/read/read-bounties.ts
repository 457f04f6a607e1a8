import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { BountyRecord } from './bounty-record.ts';

/** One page of a group's bounties, by start, and how many there are in all. @param page counted from 1 */
export async function listBounties(
  db: Db,
  publisherId: string,
  groupId: string,
  page: number,
  pageSize: number,
): Promise<{ bounties: BountyRecord[]; totalCount: number }> {
  const bounties = await readBounties(
    db,
    publisherId,
    sql`b.group_id = ${groupId}`,
    sql`order by b.starts_at, b.bounty_id limit ${pageSize} offset ${(page - 1) * pageSize}`,
  );
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total from bounty where publisher_id = ${publisherId} and group_id = ${groupId}`.execute(
    db,
  );
  return { bounties, totalCount: Number(rows[0]?.total ?? 0) };
}

/**
 * @param groupId null: of any group of the publisher
 * @throws Refusal 400 BountyNotFound
 */
export async function getBounty(
  db: Db,
  publisherId: string,
  groupId: string | null,
  bountyId: BountyId,
): Promise<BountyRecord> {
  const [bounty] = await readBounties(
    db,
    publisherId,
    sql`b.bounty_id = ${bountyId} and (${groupId}::text is null or b.group_id = ${groupId})`,
    sql``,
  );
  if (bounty === undefined) throw new Refusal('BountyNotFound', 'No bounty has this id.');
  return bounty;
}

async function readBounties(
  db: Db,
  publisherId: string,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown>,
): Promise<BountyRecord[]> {
  const { rows } = await sql<{
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
  }>`
    select b.bounty_id, b.name, b.description, b.image_src, b.reward_description, b.completion_limit, b.starts_at, b.ends_at,
           b.last_progress_check, objectives.list as objectives, rewards.list as rewards,
           prerequisites.list as prerequisites, dependants.list as dependants
    from bounty b
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
               'id', r.reward_id, 'name', r.name, 'type', r.type,
               'sku', case when r.sku_id is not null then json_build_object('id', r.sku_id, 'name', r.sku_name) end,
               'amount', r.amount_minor, 'currency', r.currency, 'externalId', r.external_id
             )) order by r.position, r.reward_id), '[]') as list
      from bounty_reward r
      where r.publisher_id = ${publisherId} and r.bounty_id = b.bounty_id and r.removed_at is null
    ) rewards
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', o.bounty_id, 'name', o.name) order by o.bounty_id), '[]') as list
      from bounty_prerequisite q
      join bounty o on o.publisher_id = ${publisherId} and o.bounty_id = q.requires_id
      where q.publisher_id = ${publisherId} and q.bounty_id = b.bounty_id
    ) prerequisites
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', o.bounty_id, 'name', o.name) order by o.bounty_id), '[]') as list
      from bounty_prerequisite q
      join bounty o on o.publisher_id = ${publisherId} and o.bounty_id = q.bounty_id
      where q.publisher_id = ${publisherId} and q.requires_id = b.bounty_id
    ) dependants
    where b.publisher_id = ${publisherId} and ${condition}
    ${rest}`.execute(db);
  return rows.map((row) => ({
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
  }));
}
