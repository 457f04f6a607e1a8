import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { sqlState } from '../../../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { lockOutPosting, lockOutReversals } from '../../settlement-lock.ts';

/**
 * Lock timeout for the first attempt, in milliseconds. The timeout doubles with each attempt, up to
 * `lastTimeoutMs`. Postings in progress end within a second, and all later transactions wait behind this
 * lock. The longer timeouts ensure that an attempt eventually succeeds.
 */
const firstTimeoutMs = 500;
const lastTimeoutMs = 4_000;
/**
 * Lock timeout for reversals. The timeout is short, because a status change that holds this lock may itself
 * be waiting for a long commit.
 */
const reversalLockTimeout = '200ms';
const pauseMs = 200;
/**
 * Maximum time to keep trying. A recount of a bounty or a large program file can block settlement for up to a
 * minute.
 */
const maxWaitMs = 120_000;

/**
 * Takes a cutoff for a payout. Every posting, reversal, clawback and merge up to the cutoff is visible from
 * now on, and every later change has a later time. Runs in a separate commit that takes milliseconds. Other
 * transactions queue behind the locks of this commit. The commit therefore waits only briefly for
 * transactions in progress, then lets other transactions go first and retries.
 * @throws Refusal when the group does not exist, or no cutoff could be taken within two minutes
 */
export async function takeCutoff(db: Db, publisherId: string, groupId: string): Promise<Date> {
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

async function readCutoff(tx: Tx, publisherId: string, groupId: string, timeoutMs: number): Promise<Date> {
  await sql`select set_config('lock_timeout', ${`${timeoutMs}ms`}, true)`.execute(tx);
  await lockOutPosting(tx, publisherId);
  await sql`select set_config('lock_timeout', ${reversalLockTimeout}, true)`.execute(tx);
  await lockOutReversals(tx, publisherId);
  // The group is locked so that changes to its hold period and minimums commit entirely before or after the
  // cutoff.
  const group = await tx
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .forShare()
    .noWait()
    .executeTakeFirst();
  if (group === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no group ${groupId}.`);
  const cutoff = await readMoment(tx);
  // The sleep ensures that transactions waiting for the locks read a later millisecond than the cutoff.
  await sql`select pg_sleep(0.001)`.execute(tx);
  return cutoff;
}
