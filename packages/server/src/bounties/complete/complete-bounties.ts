import { sql } from 'kysely';
import { tellCreators } from '../../notices/write-notices.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { payRewards, type RewardPayment } from '../../settlement/pay-reward.ts';
import { lockForPosting } from '../../settlement/settlement-lock.ts';
import { publishEvents } from '../../webhooks/publish-events.ts';
import { hasStarted, hasStartedBounty, markStartedBounties } from './check-begun.ts';
import { readEarnedAt } from './read-earned-at.ts';
import { type Completion, type DueProgress, rewardEvent } from './reward-event.ts';
import { saveCheck, saveCompletions } from './save-completions.ts';
import { takeProgress } from './take-progress.ts';

const lockClass = 1_955; // settlement uses 1_954
/**
 * Maximum number of completions from one member's progress in a commit, so that members are locked only
 * briefly.
 */
const completionsPerProgress = 10;

/**
 * Returns the publishers that have progress to check or a bounty that has started. Uses two index lookups for
 * each publisher (docs/adr/0034-routing.md).
 * @param now time on the service's clock
 */
export async function publishersToCheck(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select publisher_id
    from publisher p
    where exists (select 1 from bounty_progress waiting where waiting.publisher_id = p.publisher_id and waiting.needs_check)
       or exists (
         select 1
         from bounty begun
         where begun.publisher_id = p.publisher_id
           and ${hasStarted(
             'begun',
             sql`${now}::timestamptz + interval '1 millisecond' * coalesce(
               (select max(c.ahead_ms) from clock_move c where c.publisher_id = p.publisher_id), 0)`,
           )}
       )
    order by publisher_id`.execute(db);
  return rows.map(({ publisher_id }) => publisher_id);
}

/**
 * Checks one batch of a publisher's changed progress. Completions, their rewards, payments, events and emails are
 * saved in one commit. A completion happens exactly once, even after crashes and with any number of workers:
 * workers take turns processing a publisher, and the completion's number is part of its key. No bounty is
 * completed before its start. Progress that was checked before the start is checked again at the start.
 * @param now time on the publisher's clock
 * @returns the number of progress rows checked (0 if there are none or another worker has the turn), and the
 *   number of completions
 */
export async function completeBounties(
  db: Db,
  publisherId: string,
  now: Date,
): Promise<{ checked: number; completed: number }> {
  if (await hasStartedBounty(db, publisherId, now))
    await inTransaction(db, async (tx) => {
      await lockForPosting(tx, publisherId);
      if (await takesTurn(tx, publisherId)) await markStartedBounties(tx, publisherId, now);
    });
  return inTransaction(db, async (tx) => {
    await lockForPosting(tx, publisherId); // rewards become payable either before a payout's cutoff or after it
    if (!(await takesTurn(tx, publisherId))) return { checked: 0, completed: 0 };
    const due = await takeProgress(tx, publisherId, now);
    if (due.length === 0) return { checked: 0, completed: 0 };
    const completions = due.flatMap(completionsOf);
    await saveCompletions(tx, publisherId, completions, now);
    await payRewards(tx, publisherId, await paymentsOf(tx, publisherId, completions, now));
    await publishEvents(
      tx,
      publisherId,
      completions.map((completion) => ({ kind: 'Bounty/BountyReward', event: rewardEvent(completion) })),
    );
    await tellOfFirst(tx, publisherId, completions);
    await saveCheck(tx, { publisherId, due, completions, now });
    return { checked: due.length, completed: completions.length };
  });
}

/**
 * Takes the turn to process a publisher, so that no other worker waits for the same members or computes the
 * same completions. Returns false if another worker has the turn.
 */
async function takesTurn(tx: Tx, publisherId: string): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(${lockClass}, hashtext(${publisherId})) as is_ours`.execute(tx);
  return rows[0]?.is_ours === true;
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

/** Writes an email to each creator who completed a bounty for the first time. A bounty can be completed many times a day. */
async function tellOfFirst(tx: Tx, publisherId: string, completions: readonly Completion[]): Promise<void> {
  const first = completions.filter(({ number }) => number === 1);
  if (first.length === 0) return;
  await tellCreators(tx, {
    publisherId,
    kind: 'bounty',
    rows: sql`
      select done.about_id, m.account_id
      from unnest(
        ${first.map(({ id }) => id)}::uuid[], ${first.map(({ progress }) => progress.membershipId)}::uuid[]
      ) as done (about_id, membership_id)
      join membership m on m.publisher_id = ${publisherId} and m.membership_id = done.membership_id`,
  });
}

async function paymentsOf(
  tx: Tx,
  publisherId: string,
  completions: readonly Completion[],
  now: Date,
): Promise<RewardPayment[]> {
  const paying = completions.filter(({ rewards }) =>
    rewards.some(({ definition }) => definition.amountMinor !== null),
  );
  const earnedAt = await readEarnedAt(tx, publisherId, paying, now);
  return paying.flatMap(({ id: completionId, progress, rewards }) =>
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
              earnedAt: earnedAt.get(completionId) ?? now,
            },
          ],
    ),
  );
}
