import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { sqlState } from '../../../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { lockOutPosting, lockOutReversals } from '../../settlement-lock.ts';

/**
 * Lock timeout of the first attempt, in milliseconds; it doubles with each attempt, up to the last one. Current
 * postings end within a second, and all later transactions wait behind this lock. Longer waits make sure that an
 * attempt succeeds in the end.
 */
const firstTimeoutMs = 500;
const lastTimeoutMs = 4_000;
/** Lock timeout for reversals; a status change that holds this lock may itself be waiting for a long commit. */
const reversalLockTimeout = '200ms';
const pauseMs = 200;
/**
 * Longest time to keep trying; a recount of a bounty or a large program file can block settlement for up to a minute.
 */
const maxWaitMs = 120_000;

/**
 * Takes a cutoff for a payout: every posting, reversal, clawback and merge up to it is visible from now on, and every
 * later one has a later time. It is a separate commit that takes milliseconds. It waits only briefly for transactions
 * in progress, because others wait behind it; then it lets those go first and tries again.
 * @throws Refusal when the group does not exist, or no cutoff could be taken in two minutes
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
          `Publisher ${publisherId} has been changing for minutes. Try again later.`,
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
  // Locked so that changes of its hold period and minimums commit before this or after it.
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
  // Transactions that wait for the locks read a later millisecond.
  await sql`select pg_sleep(0.001)`.execute(tx);
  return cutoff;
}
