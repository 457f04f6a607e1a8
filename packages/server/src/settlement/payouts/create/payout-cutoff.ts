import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { sqlState } from '../../../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { lockOutPosting, lockOutReversals } from '../../settlement-lock.ts';

/**
 * Lock timeout for the first attempt, in milliseconds. The timeout doubles with each attempt, up to `lastTimeoutMs`.
 * Postings in progress finish within a second, but all later transactions queue behind this lock. The growing timeout
 * ensures that an attempt eventually succeeds.
 */
const firstTimeoutMs = 500;
const lastTimeoutMs = 4_000;
/**
 * Lock timeout for reversals. It is short because a status change that holds this lock may itself be waiting for a long
 * commit.
 */
const reversalLockTimeout = '200ms';
const pauseMs = 200;
/**
 * Maximum time to keep trying. Recounting a bounty or applying a large program file can block settlement for up to a
 * minute.
 */
const maxWaitMs = 120_000;

/**
 * Takes a cutoff for a payout. Once this returns, every posting, reversal, clawback and merge up to the cutoff is
 * visible, and any later change has a later time. Runs in its own commit, which takes milliseconds. Because other
 * transactions queue behind its locks, it waits only briefly for transactions in progress, then lets others go first
 * and retries.
 * @param groupId null for a cutoff that applies to all of the publisher's groups
 * @throws Refusal when the group doesn't exist, or no cutoff could be taken within two minutes
 */
export async function takeCutoff(db: Db, publisherId: string, groupId: string | null): Promise<Date> {
  const deadline = performance.now() + maxWaitMs;
  for (let timeoutMs = firstTimeoutMs; ; timeoutMs = Math.min(timeoutMs * 2, lastTimeoutMs)) {
    try {
      return await inTransaction(db, (tx) => readCutoff(tx, publisherId, groupId, timeoutMs));
    } catch (error) {
      if (sqlState(error) !== '55P03') throw error;
      if (performance.now() > deadline)
        throw new Refusal(
          'Conflict',
          `Other changes to publisher ${publisherId} are still in progress after two minutes. Try again later.`,
          { cause: error },
        );
      await sleep(pauseMs);
    }
  }
}

async function readCutoff(
  tx: Tx,
  publisherId: string,
  groupId: string | null,
  timeoutMs: number,
): Promise<Date> {
  await sql`select set_config('lock_timeout', ${`${timeoutMs}ms`}, true)`.execute(tx);
  await lockOutPosting(tx, publisherId);
  await sql`select set_config('lock_timeout', ${reversalLockTimeout}, true)`.execute(tx);
  await lockOutReversals(tx, publisherId);
  // Lock the groups, so that changes to their hold periods and minimums commit either before or after the cutoff.
  const groups = await tx
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .$if(groupId !== null, (query) => query.where('group_id', '=', groupId))
    .forShare()
    .noWait()
    .execute();
  if (groupId !== null && groups.length === 0)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no group ${groupId}.`);
  const cutoff = await readMoment(tx);
  // Sleep so that transactions waiting for the locks get a later millisecond than the cutoff.
  await sql`select pg_sleep(0.001)`.execute(tx);
  return cutoff;
}
