import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { sqlState } from '../../../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { lockOutReversing, lockOutSettling } from '../../settlement-lock.ts';

/**
 * Sets under way end within a second, and whatever comes after this waits behind it. Should they not, it waits longer
 * the next time, so that it comes to its end.
 */
const firstPatienceMs = 500;
const lastPatienceMs = 4_000;
/** Held by a status change, which may wait for a long commit itself. */
const patienceForReversals = '200ms';
const pauseMs = 200;
/** A bounty counted anew, or a large program file, keeps settlement out for a minute at worst. */
const attemptsMs = 120_000;

/**
 * A moment such that all that was settled, reversed, taken back or merged up to it can be seen from now on, and
 * whatever comes later carries a later time. It is a commit of its own, of milliseconds: it waits for what is under
 * way, but never long, because others wait behind it; then it lets them go first, and tries again.
 * @throws Refusal when there is no such group, or no moment is to be had
 */
export async function momentOfPayout(db: Db, publisherId: string, groupId: string): Promise<Date> {
  const deadline = performance.now() + attemptsMs;
  for (let patienceMs = firstPatienceMs; ; patienceMs = Math.min(patienceMs * 2, lastPatienceMs)) {
    try {
      return await inTransaction(db, (tx) => beBetween(tx, publisherId, groupId, patienceMs));
    } catch (error) {
      if (sqlState(error) !== '55P03') throw error;
      if (performance.now() > deadline)
        throw new Refusal(
          'Conflict',
          `Something of publisher ${publisherId} has been changing for minutes; try again later.`,
          { cause: error },
        );
      await sleep(pauseMs);
    }
  }
}

async function beBetween(tx: Tx, publisherId: string, groupId: string, patienceMs: number): Promise<Date> {
  await sql`select set_config('lock_timeout', ${`${patienceMs}ms`}, true)`.execute(tx);
  await lockOutSettling(tx, publisherId);
  await sql`select set_config('lock_timeout', ${patienceForReversals}, true)`.execute(tx);
  await lockOutReversing(tx, publisherId);
  // Its hold period and minimums are those of before a change, or of after it.
  const group = await tx
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .forShare()
    .noWait()
    .executeTakeFirst();
  if (group === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no group ${groupId}.`);
  const moment = await readMoment(tx);
  // Whoever waits for the locks comes to a later millisecond.
  await sql`select pg_sleep(0.001)`.execute(tx);
  return moment;
}
