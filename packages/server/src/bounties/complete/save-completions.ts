import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { Completion, DueProgress } from './reward-event.ts';

export async function saveCompletions(
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
  // Only External rewards have to be completed by the publisher.
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

interface Checked {
  publisherId: string;
  due: readonly DueProgress[];
  completions: readonly Completion[];
  now: Date;
}

/**
 * Saves the results of a check. Marks two kinds of progress for another check: progress that allows further
 * completions, and progress toward bounties that require a bounty just completed.
 */
export async function saveCheck(tx: Tx, { publisherId, due, completions, now }: Checked): Promise<void> {
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
