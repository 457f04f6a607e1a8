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
  objectives: string[];
  rewards: string[];
}

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
    objectives: string[];
    rewards: string[];
  }>`
    select b.bounty_id, b.group_id, b.name, b.completion_limit, b.starts_at, b.ends_at, b.ended_at,
           array(select o.name from bounty_objective o
                 where o.publisher_id = ${publisherId} and o.bounty_id = b.bounty_id and o.removed_at is null
                 order by o.position, o.objective_id) as objectives,
           array(select d.name from bounty_reward d
                 where d.publisher_id = ${publisherId} and d.bounty_id = b.bounty_id and d.removed_at is null
                 order by d.position, d.reward_id) as rewards
    from bounty b
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
    })),
  };
}
