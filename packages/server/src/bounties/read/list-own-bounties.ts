import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId, MembershipId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import type { Condition, ObjectiveType, RewardType } from '../define/bounty-terms.ts';
import { type BountyState, isInState, stateOf } from './bounty-state.ts';
import { currentObjectives } from './current-objectives.ts';
import { countTowardNext } from './progress-rows.ts';

export interface OwnBountyList {
  publisherId: string;
  /** Standing memberships of one creator, with their groups. */
  memberships: readonly { membershipId: MembershipId; groupId: string }[];
  state: BountyState;
  cursor: string | null;
  size: number;
  now: Date;
}

export interface OwnObjective {
  name: string;
  type: ObjectiveType;
  condition: Condition;
  /** Currency of an amount; null for a count in any currency. */
  currency: string | null;
  /** Products that count; empty for all. */
  products: string[];
  targetCount: bigint;
  count: bigint;
  missingCount: bigint;
}

export interface OwnReward {
  name: string;
  type: RewardType;
  amountMinor: bigint | null;
  currency: string | null;
}

/** Bounty with a creator's progress. */
export interface OwnBounty {
  bountyId: BountyId;
  membershipId: MembershipId;
  name: string;
  description: string | null;
  imageSrc: string | null;
  rewardDescription: string | null;
  state: BountyState;
  startsAt: Date;
  endsAt: Date | null;
  /** Maximum number of completions; null for no limit. */
  limit: number | null;
  completionCount: number;
  /** True if the limit is reached. */
  isComplete: boolean;
  /** Progress toward the next completion. */
  objectives: OwnObjective[];
  rewards: OwnReward[];
  /** Bounties that must be completed first. */
  prerequisites: { name: string; isComplete: boolean }[];
  /** Latest completions, newest first. */
  completions: { number: number; completedAt: Date; rewards: { name: string; isDelivered: boolean }[] }[];
}

const maxCompletions = 20;

interface Row {
  bounty_id: BountyId;
  membership_id: MembershipId;
  name: string;
  description: string | null;
  image_src: string | null;
  reward_description: string | null;
  starts_at: Date;
  ends_at: Date | null;
  ended_at: Date | null;
  completion_limit: number | null;
  completion_count: number;
  objectives: {
    name: string;
    type: ObjectiveType;
    condition: Condition;
    currency: string | null;
    products: string[];
    target: string;
    total: string;
  }[];
  rewards: { name: string; type: RewardType; amount: string | null; currency: string | null }[];
  prerequisites: { name: string; isComplete: boolean }[];
  completions: { number: number; completedAt: string; rewards: { name: string; isDelivered: boolean }[] }[];
}

/**
 * Lists one page of the bounties of a creator's groups with the creator's progress, latest start first. Bounties that are
 * over are listed only if the creator made progress.
 * @throws Refusal InvalidCursor
 */
export async function listOwnBounties(
  db: Db,
  pages: Pages,
  { publisherId, memberships, state, cursor, size, now }: OwnBountyList,
): Promise<Page<OwnBounty>> {
  const ids = memberships.map(({ membershipId }) => membershipId);
  const listing = ['own bounties', publisherId, [...ids].sort(), state];
  const [startsAt, bountyId, afterId] = pages.after(listing, cursor) ?? [];
  if (ids.length === 0) return { rows: [], nextCursor: null };
  const { rows } = await sql<Row>`
    select b.*, objectives.list as objectives, rewards.list as rewards, prerequisites.list as prerequisites,
           done.list as completions
    from (
      select b.bounty_id, own.membership_id, b.name, b.description, b.image_src, b.reward_description, b.starts_at, b.ends_at,
             b.ended_at, b.completion_limit, p.progress_id, coalesce(p.completion_count, 0) as completion_count
      from unnest(${ids}::uuid[], ${memberships.map(({ groupId }) => groupId)}::text[]) as own (membership_id, group_id)
      join bounty b on b.publisher_id = ${publisherId} and b.group_id = own.group_id
      left join bounty_progress p
        on p.publisher_id = ${publisherId} and p.bounty_id = b.bounty_id and p.membership_id = own.membership_id
      where ${isInState(state, now)} ${state === 'over' ? sql`and p.progress_id is not null` : sql``}
        ${startsAt === undefined ? sql`` : sql`and (b.starts_at, b.bounty_id, own.membership_id) < (${startsAt}::timestamptz, ${bountyId}, ${afterId}::uuid)`}
      order by b.starts_at desc, b.bounty_id desc, own.membership_id desc
      limit ${size + 1}
    ) b
    cross join lateral (${currentObjectives(publisherId, 'b', sql`'name', o.name, 'type', o.type, 'condition', o.condition, 'currency', o.currency, 'products', o.sku_names, 'target', o.target::text`)}) objectives
    cross join lateral (
      select coalesce(json_agg(json_build_object(
               'name', d.name, 'type', d.type, 'amount', d.amount_minor::text, 'currency', d.currency
             ) order by d.position, d.reward_id), '[]') as list
      from bounty_reward d
      where d.publisher_id = ${publisherId} and d.bounty_id = b.bounty_id and d.removed_at is null
    ) rewards
    cross join lateral (
      select coalesce(json_agg(json_build_object(
               'name', other.name, 'isComplete', coalesce(required.completion_count, 0) > 0
             ) order by other.bounty_id), '[]') as list
      from bounty_prerequisite q
      join bounty other on other.publisher_id = ${publisherId} and other.bounty_id = q.requires_id
      left join bounty_progress required
        on required.publisher_id = ${publisherId} and required.bounty_id = q.requires_id
       and required.membership_id = b.membership_id
      where q.publisher_id = ${publisherId} and q.bounty_id = b.bounty_id
    ) prerequisites
    cross join lateral (
      select coalesce(json_agg(json_build_object(
               'number', k.number, 'completedAt', k.completed_at, 'rewards', given.list
             ) order by k.number desc), '[]') as list
      from (
        select c.completion_id, c.number, c.completed_at
        from bounty_completion c
        where c.publisher_id = ${publisherId} and c.progress_id = b.progress_id
        order by c.number desc
        limit ${maxCompletions}
      ) k
      cross join lateral (
        select coalesce(json_agg(json_build_object('name', d.name, 'isDelivered', g.reward_completed)
                                 order by d.position, d.reward_id), '[]') as list
        from progress_reward g
        join bounty_reward d on d.publisher_id = ${publisherId} and d.reward_id = g.reward_id
        where g.publisher_id = ${publisherId} and g.completion_id = k.completion_id
      ) given
    ) done
    order by b.starts_at desc, b.bounty_id desc, b.membership_id desc`.execute(db);
  const page = pages.cut(listing, rows, size, (row) => [
    row.starts_at.toISOString(),
    row.bounty_id,
    row.membership_id,
  ]);
  return { ...page, rows: page.rows.map((row) => toBounty(row, now)) };
}

function toBounty(row: Row, now: Date): OwnBounty {
  const isComplete = row.completion_limit !== null && row.completion_count >= row.completion_limit;
  return {
    bountyId: row.bounty_id,
    membershipId: row.membership_id,
    name: row.name,
    description: row.description,
    imageSrc: row.image_src,
    rewardDescription: row.reward_description,
    state: stateOf({ startsAt: row.starts_at, endsAt: row.ends_at, isEnded: row.ended_at !== null }, now),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    limit: row.completion_limit,
    completionCount: row.completion_count,
    isComplete,
    objectives: row.objectives.map(({ target, total, ...objective }) => {
      const targetCount = BigInt(target);
      const count = isComplete
        ? targetCount
        : BigInt(countTowardNext(BigInt(total), Number(target), row.completion_count));
      return { ...objective, targetCount, count, missingCount: targetCount - count };
    }),
    rewards: row.rewards.map(({ amount, ...reward }) => ({
      ...reward,
      amountMinor: amount === null ? null : BigInt(amount),
    })),
    prerequisites: row.prerequisites,
    completions: row.completions.map(({ completedAt, ...completion }) => ({
      ...completion,
      completedAt: new Date(completedAt),
    })),
  };
}
