import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, BountyId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';

export interface GivenReward {
  rewardId: string;
  name: string;
  externalId: string | null;
  bountyId: BountyId;
  bountyName: string;
  groupId: string;
  accountId: AccountId;
  memberName: string;
  completedAt: Date;
  isDelivered: boolean;
  referenceId: string | null;
}

export interface RewardList {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  bountyId: string | null;
  isDelivered: boolean;
  cursor: string | null;
  size: number;
}

/**
 * Returns one page of External rewards: either undelivered rewards, oldest first, or delivered rewards,
 * newest first.
 */
export async function listRewards(
  db: Db,
  pages: Pages,
  { cursor, size, ...filter }: RewardList,
): Promise<Page<GivenReward>> {
  const { publisherId, groupId, bountyId, isDelivered } = filter;
  const listing = ['admin-rewards', filter];
  const [lastId] = pages.after(listing, cursor) ?? [];
  const comparison = isDelivered ? sql`<` : sql`>`;
  const { rows } = await sql<{
    progress_reward_id: string;
    name: string;
    external_id: string | null;
    bounty_id: BountyId;
    bounty_name: string;
    group_id: string;
    account_id: AccountId;
    member_name: string;
    completed_at: Date;
    reward_reference_id: string | null;
  }>`
    select g.progress_reward_id, d.name, d.external_id, b.bounty_id, b.name as bounty_name, b.group_id, m.account_id,
           a.name as member_name, c.completed_at, g.reward_reference_id
    from progress_reward g
    join bounty_reward d on d.publisher_id = ${publisherId} and d.reward_id = g.reward_id and d.type = 'External'
    join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = d.bounty_id
    join bounty_completion c on c.publisher_id = ${publisherId} and c.completion_id = g.completion_id
    join bounty_progress p on p.publisher_id = ${publisherId} and p.progress_id = c.progress_id
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = p.membership_id
    join creator_account a on a.account_id = m.account_id
    where g.publisher_id = ${publisherId} and g.reward_completed = ${isDelivered}
      and (${groupId}::text is null or b.group_id = ${groupId})
      and (${bountyId}::text is null or b.bounty_id = ${bountyId})
      ${lastId === undefined ? sql`` : sql`and g.progress_reward_id ${comparison} ${lastId}::uuid`}
    order by g.progress_reward_id ${isDelivered ? sql`desc` : sql`asc`}
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, (row) => [row.progress_reward_id]);
  return {
    ...page,
    rows: page.rows.map((row) => ({
      rewardId: row.progress_reward_id,
      name: row.name,
      externalId: row.external_id,
      bountyId: row.bounty_id,
      bountyName: row.bounty_name,
      groupId: row.group_id,
      accountId: row.account_id,
      memberName: row.member_name,
      completedAt: row.completed_at,
      isDelivered,
      referenceId: row.reward_reference_id,
    })),
  };
}
