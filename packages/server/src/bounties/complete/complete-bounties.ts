import { sql } from 'kysely';
import { lockMemberships } from '../../members/lock-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type {
  AccountId,
  BountyId,
  MembershipId,
  ProgressId,
} from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { payRewards } from '../../settlement/pay-reward.ts';
import { lockForSettling } from '../../settlement/settlement-lock.ts';
import { publishEvents } from '../../webhooks/publish-events.ts';
import { type Completion, type DueProgress, rewardEvent } from './reward-event.ts';

const lockClass = 1_955; // beside settlement's 1_954
/** Members' progress looked at by one commit, and completions of each: small enough to hold members for a blink. */
const progressPerCommit = 200;
const completionsPerProgress = 10;

/** The publishers that have progress to check, found by skipping through the index from one to the next. */
export async function publishersToCheck(db: Db): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    with recursive waiting as (
      (select publisher_id from bounty_progress where needs_check order by publisher_id limit 1)
      union all
      select (select p.publisher_id from bounty_progress p
              where p.needs_check and p.publisher_id > w.publisher_id order by p.publisher_id limit 1)
      from waiting w
      where w.publisher_id is not null
    )
    select publisher_id from waiting where publisher_id is not null`.execute(db);
  return rows.map(({ publisher_id }) => publisher_id);
}

/**
 * Checks one set of a publisher's progress that was counted since: what is complete gets its completion, its rewards
 * with their money, and its event, all in one commit. A completion happens once, whatever crashes and however many
 * workers run: they take turns at a publisher, and its number is part of its key.
 * @returns how much progress was checked (0 when none waits, or another worker is at it), and completions made
 */
export function completeBounties(
  db: Db,
  publisherId: string,
  now: Date,
): Promise<{ checked: number; completed: number }> {
  return inTransaction(db, async (tx) => {
    await lockForSettling(tx, publisherId); // money becomes payable: before a payout's moment, or after it
    if (!(await isOurTurn(tx, publisherId))) return { checked: 0, completed: 0 };
    const due = await takeProgress(tx, publisherId);
    if (due.length === 0) return { checked: 0, completed: 0 };
    const completions = due.flatMap(completionsOf);
    await saveCompletions(tx, publisherId, completions, now);
    await payRewards(
      tx,
      publisherId,
      completions.flatMap(({ progress, rewards }) =>
        rewards.flatMap(({ id, definition: { amountMinor, currency } }) =>
          amountMinor === null || currency === null
            ? []
            : [
                {
                  progressRewardId: id,
                  groupId: progress.groupId,
                  membershipId: progress.membershipId,
                  currency,
                  amountMinor,
                  earnedAt: now,
                },
              ],
        ),
      ),
    );
    await publishEvents(
      tx,
      publisherId,
      completions.map((completion) => ({ kind: 'Bounty/BountyReward', event: rewardEvent(completion) })),
    );
    await noteCheck(tx, publisherId, due, completions, now);
    return { checked: due.length, completed: completions.length };
  });
}

/** One worker at a time for a publisher: no other waits for the same members, or works out the same completions. */
async function isOurTurn(tx: Tx, publisherId: string): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(${lockClass}, hashtext(${publisherId})) as is_ours`.execute(tx);
  return rows[0]?.is_ours === true;
}

/** Locks members, by id as everywhere, and reads how far they are. What follows the lock sees all that was counted. */
async function takeProgress(tx: Tx, publisherId: string): Promise<DueProgress[]> {
  const { rows: waiting } = await sql<{ progress_id: ProgressId; membership_id: MembershipId }>`
    select progress_id, membership_id
    from bounty_progress
    where publisher_id = ${publisherId} and needs_check
    order by last_progress_check nulls first, progress_id -- those with more to complete come again after the others
    limit ${progressPerCommit}`.execute(tx);
  await lockMemberships(
    tx,
    publisherId,
    waiting.map((each) => each.membership_id),
  );
  const { rows } = await sql<{
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
  }>`
    select p.progress_id, p.membership_id, p.bounty_id, b.name as bounty_name, b.group_id, g.name as group_name, m.account_id,
           m.player_id, p.completion_count,
           case when exists (
             select from bounty_prerequisite q
             left join bounty_progress required
               on required.publisher_id = ${publisherId} and required.bounty_id = q.requires_id and required.membership_id = p.membership_id
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
      -- A link may have moved it meanwhile, to a member that is not locked: then it is next time's.
      and p.membership_id = any(${waiting.map((each) => each.membership_id)}::uuid[])
    order by p.membership_id, p.bounty_id`.execute(tx);
  return rows.map((row) => ({
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
  }));
}

function completionsOf(progress: DueProgress): Completion[] {
  const missing = Math.min(completionsPerProgress, progress.earnedCount - progress.completionCount);
  return Array.from({ length: Math.max(0, missing) }, (_, index) => ({
    id: newRowId(),
    number: progress.completionCount + index + 1,
    progress,
    rewards: progress.rewards.map((definition) => ({ id: newRowId(), definition })),
  }));
}

async function saveCompletions(
  tx: Tx,
  publisherId: string,
  completions: readonly Completion[],
  now: Date,
): Promise<void> {
  if (completions.length === 0) return;
  await sql`
    insert into bounty_completion (publisher_id, completion_id, progress_id, number, objectives, completed_at)
    select ${publisherId}, completion_id, progress_id, number, objectives::jsonb, ${now}
    from unnest(
      ${completions.map(({ id }) => id)}::uuid[],
      ${completions.map(({ progress }) => progress.progressId)}::uuid[],
      ${completions.map(({ number }) => number)}::integer[],
      ${completions.map(({ progress }) => JSON.stringify(progress.objectives))}::text[]
    ) as c (completion_id, progress_id, number, objectives)`.execute(tx);
  const rewards = completions.flatMap(({ id, rewards }) =>
    rewards.map((reward) => ({ completionId: id, ...reward })),
  );
  // Only an External reward waits for the publisher.
  await sql`
    insert into progress_reward (publisher_id, progress_reward_id, completion_id, reward_id, reward_completed)
    select ${publisherId}, progress_reward_id, completion_id, reward_id, reward_completed
    from unnest(
      ${rewards.map(({ id }) => id)}::uuid[],
      ${rewards.map(({ completionId }) => completionId)}::uuid[],
      ${rewards.map(({ definition }) => definition.id)}::text[],
      ${rewards.map(({ definition }) => definition.type !== 'External')}::boolean[]
    ) as r (progress_reward_id, completion_id, reward_id, reward_completed)`.execute(tx);
}

/** Progress with more to complete is looked at again, and so is what waited for a bounty that is complete now. */
async function noteCheck(
  tx: Tx,
  publisherId: string,
  due: readonly DueProgress[],
  completions: readonly Completion[],
  now: Date,
): Promise<void> {
  const reached = new Map(completions.map(({ progress, number }) => [progress.progressId, number]));
  const counts = due.map(({ progressId, completionCount }) => reached.get(progressId) ?? completionCount);
  await sql`
    update bounty_progress p
    set completion_count = c.completion_count, needs_check = c.has_more, last_progress_check = ${now}
    from unnest(
      ${due.map(({ progressId }) => progressId)}::uuid[],
      ${counts}::integer[],
      ${due.map(({ earnedCount }, index) => earnedCount > (counts[index] ?? 0))}::boolean[]
    ) as c (progress_id, completion_count, has_more)
    where p.publisher_id = ${publisherId} and p.progress_id = c.progress_id`.execute(tx);
  await sql`
    update bounty_progress p
    set needs_check = true
    from bounty_prerequisite q
    join unnest(
      ${completions.map(({ progress }) => progress.bountyId)}::text[],
      ${completions.map(({ progress }) => progress.membershipId)}::uuid[]
    ) as c (bounty_id, membership_id) on c.bounty_id = q.requires_id
    where q.publisher_id = ${publisherId} and p.publisher_id = ${publisherId}
      and p.bounty_id = q.bounty_id and p.membership_id = c.membership_id`.execute(tx);
  await sql`
    update bounty
    set last_progress_check = ${now}
    where publisher_id = ${publisherId} and bounty_id = any(${due.map(({ bountyId }) => bountyId)}::text[])`.execute(
    tx,
  );
}
