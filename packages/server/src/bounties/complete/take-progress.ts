import { sql } from 'kysely';
import { lockMemberships } from '../../members/lock-members.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type {
  AccountId,
  BountyId,
  MembershipId,
  ProgressId,
} from '../../platform/database/tables.generated.ts';
import type { DueProgress } from './reward-event.ts';

/** Number of progress rows checked in one commit. Small enough that members are locked only briefly. */
const progressPerCommit = 200;

interface DueRow {
  progress_id: ProgressId;
  membership_id: MembershipId;
  bounty_id: BountyId;
  bounty_name: string;
  group_id: string;
  group_name: string;
  account_id: AccountId;
  player_id: string | null;
  completion_count: number;
  earned: string;
  objectives: DueProgress['objectives'];
  rewards: (Omit<DueProgress['rewards'][number], 'amountMinor'> & { amountMinor: string | null })[];
}

/**
 * Locks members in the order of their ids and reads the members' progress. Statements after the lock see all
 * contributions counted so far.
 */
export async function takeProgress(tx: Tx, publisherId: string, now: Date): Promise<DueProgress[]> {
  const { rows: waiting } = await sql<{ progress_id: ProgressId; membership_id: MembershipId }>`
    select p.progress_id, p.membership_id
    from bounty_progress p
    where p.publisher_id = ${publisherId} and p.needs_check
    order by p.last_progress_check nulls first, p.progress_id -- progress with more completions comes after the others
    limit ${progressPerCommit}`.execute(tx);
  await lockMemberships(
    tx,
    publisherId,
    waiting.map((each) => each.membership_id),
  );
  const { rows } = await sql<DueRow>`
    select p.progress_id, p.membership_id, p.bounty_id, b.name as bounty_name, b.group_id, g.name as group_name, m.account_id,
           m.player_id, p.completion_count,
           case when b.starts_at > ${now} or exists (
             select 1 from bounty_prerequisite q
             left join bounty_progress required
               on required.publisher_id = ${publisherId} and required.bounty_id = q.requires_id
              and required.membership_id = p.membership_id
             where q.publisher_id = ${publisherId} and q.bounty_id = p.bounty_id and coalesce(required.completion_count, 0) = 0
           ) then 0 else least(coalesce(asked.times, 0), coalesce(b.completion_limit, 1000000)) end as earned,
           asked.objectives,
           (select coalesce(json_agg(json_build_object(
                     'id', d.reward_id, 'name', d.name, 'type', d.type, 'amountMinor', d.amount_minor::text,
                     'currency', d.currency, 'skuId', d.sku_id, 'skuName', d.sku_name, 'externalId', d.external_id
                   ) order by d.position, d.reward_id), '[]')
            from bounty_reward d
            where d.publisher_id = ${publisherId} and d.bounty_id = p.bounty_id and d.removed_at is null) as rewards
    from bounty_progress p
    join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = p.bounty_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = b.group_id
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = p.membership_id
    cross join lateral (
      select min(div(coalesce(t.total, 0), o.target)) as times,
             json_agg(json_build_object('id', o.objective_id, 'name', o.name, 'condition', o.condition, 'count', o.target)
                      order by o.position, o.objective_id) as objectives
      from bounty_objective o
      left join bounty_total t
        on t.publisher_id = ${publisherId} and t.objective_id = o.objective_id and t.membership_id = p.membership_id
      where o.publisher_id = ${publisherId} and o.bounty_id = p.bounty_id and o.removed_at is null
    ) asked
    where p.publisher_id = ${publisherId} and p.needs_check
      and p.progress_id = any(${waiting.map((each) => each.progress_id)}::uuid[])
      -- A link may have moved the progress to a member that isn't locked. The next check then includes it.
      and p.membership_id = any(${waiting.map((each) => each.membership_id)}::uuid[])
    order by p.membership_id, p.bounty_id`.execute(tx);
  return rows.map(toDue);
}

const toDue = (row: DueRow): DueProgress => ({
  progressId: row.progress_id,
  membershipId: row.membership_id,
  bountyId: row.bounty_id,
  bountyName: row.bounty_name,
  groupId: row.group_id,
  groupName: row.group_name,
  accountId: row.account_id,
  playerId: row.player_id,
  completionCount: row.completion_count,
  earnedCount: Number(row.earned),
  objectives: row.objectives,
  rewards: row.rewards.map((reward) => ({
    ...reward,
    amountMinor: reward.amountMinor === null ? null : BigInt(reward.amountMinor),
  })),
});
