import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { type BountyState, isInState, stateOf } from './bounty-state.ts';

export interface SummaryList {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  /** Null for all states. */
  state: BountyState | null;
  cursor: string | null;
  size: number;
  now: Date;
}

export interface BountySummary {
  bountyId: BountyId;
  groupId: string;
  name: string;
  state: BountyState;
  startsAt: Date;
  endsAt: Date | null;
  /** Maximum completions per member; null for no limit. */
  limit: number | null;
  objectives: SummarizedObjective[];
  rewards: SummarizedReward[];
  progress: BountyCounts;
}

interface SummarizedObjective {
  name: string;
  type: 'Purchase' | 'NewPlayers' | 'Event';
  condition: 'Count' | 'Amount';
  /** Number of purchases, players or events, or an amount in minor units. */
  count: string;
  currency: string | null;
}

interface SummarizedReward {
  name: string;
  type: 'External' | 'Payment' | 'Sku';
  /** Minor units; null unless the reward is a payment. */
  amount: string | null;
  currency: string | null;
}

/** Numbers of members, counted up to `maxCounted`. */
interface BountyCounts {
  /** Members whose progress has begun. */
  begun: number;
  /** Members with at least one completion. */
  completed: number;
  /** False if more members have begun. */
  isExact: boolean;
}

/** Maximum number of members counted for each bounty, so that a page of 250 bounties stays within 100 ms. */
const maxCounted = 250;

/**
 * Returns one page of bounties, latest start first.
 * @throws Refusal InvalidCursor
 */
export async function listSummaries(
  db: Db,
  pages: Pages,
  { publisherId, groupId, state, cursor, size, now }: SummaryList,
): Promise<Page<BountySummary>> {
  const listing = ['admin-bounties', publisherId, groupId, state];
  const [startsAt, bountyId] = pages.after(listing, cursor) ?? [];
  const { rows } = await sql<{
    bounty_id: BountyId;
    group_id: string;
    name: string;
    completion_limit: number | null;
    starts_at: Date;
    ends_at: Date | null;
    ended_at: Date | null;
    objectives: SummarizedObjective[];
    rewards: SummarizedReward[];
    begun: bigint;
    completed: bigint;
  }>`
    select b.bounty_id, b.group_id, b.name, b.completion_limit, b.starts_at, b.ends_at, b.ended_at,
           coalesce((select jsonb_agg(jsonb_build_object('name', o.name, 'type', o.type, 'condition', o.condition,
                                                         'count', o.target::text, 'currency', o.currency)
                                      order by o.position, o.objective_id)
                     from bounty_objective o
                     where o.publisher_id = ${publisherId} and o.bounty_id = b.bounty_id and o.removed_at is null),
                    '[]') as objectives,
           coalesce((select jsonb_agg(jsonb_build_object('name', d.name, 'type', d.type, 'amount', d.amount_minor::text,
                                                         'currency', d.currency)
                                      order by d.position, d.reward_id)
                     from bounty_reward d
                     where d.publisher_id = ${publisherId} and d.bounty_id = b.bounty_id and d.removed_at is null),
                    '[]') as rewards,
           counted.begun, counted.completed
    from bounty b
    cross join lateral (
      select count(*) as begun, count(*) filter (where p.completion_count > 0) as completed
      from (
        select completion_count
        from bounty_progress
        where publisher_id = ${publisherId} and bounty_id = b.bounty_id
        limit ${maxCounted + 1}
      ) p
    ) counted
    where b.publisher_id = ${publisherId} and (${groupId}::text is null or b.group_id = ${groupId})
      ${state === null ? sql`` : sql`and ${isInState(state, now)}`}
      ${startsAt === undefined ? sql`` : sql`and (b.starts_at, b.bounty_id) < (${startsAt}::timestamptz, ${bountyId})`}
    order by b.starts_at desc, b.bounty_id desc
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, (row) => [row.starts_at.toISOString(), row.bounty_id]);
  return {
    ...page,
    rows: page.rows.map((row) => ({
      bountyId: row.bounty_id,
      groupId: row.group_id,
      name: row.name,
      state: stateOf({ startsAt: row.starts_at, endsAt: row.ends_at, isEnded: row.ended_at !== null }, now),
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      limit: row.completion_limit,
      objectives: row.objectives,
      rewards: row.rewards,
      progress: {
        begun: Math.min(Number(row.begun), maxCounted),
        completed: Math.min(Number(row.completed), maxCounted),
        isExact: Number(row.begun) <= maxCounted,
      },
    })),
  };
}
