import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';

const lockClass = 1_954; // any number; it keeps these locks apart from other advisory locks

/** A payout of a million rows, or a bounty counted anew, may hold the lock for a minute: nobody waits that long. */
const patience = '5s';

/**
 * Held by every set being settled and by every clawback: they run beside each other, and a payout's moment
 * beside none of them. Whoever cannot have it within seconds fails as when the database is busy, and tries again:
 * one publisher's long commit must not hold the worker, or the connections, that all others share.
 */
export async function lockForSettling(tx: Tx, publisherId: string): Promise<void> {
  const { rows } = await sql<{ before: string }>`
    select current_setting('lock_timeout') as before,
           set_config('lock_timeout', ${patience}, true),
           pg_advisory_xact_lock_shared(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  await sql`select set_config('lock_timeout', ${rows[0]?.before ?? patience}, true)`.execute(tx);
}

/** Waits for the sets under way, and keeps others from beginning until the commit. */
export async function lockOutSettling(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${publisherId}))`.execute(tx);
}

/** The time that settled rows and clawbacks carry: whole milliseconds, cut, because an asOf has no finer ones. */
export const settlingTime = sql`date_trunc('milliseconds', clock_timestamp())`;

/**
 * A moment such that every row settled up to it can be seen from now on: waits for the sets under way, and
 * sets that start later write a later time.
 */
export async function momentOfSettlement(tx: Tx, publisherId: string): Promise<Date> {
  await lockOutSettling(tx, publisherId);
  const { rows } = await sql<{ moment: Date }>`select ${settlingTime} as moment`.execute(tx);
  // Whoever waits for the lock comes to a later millisecond.
  await sql`select pg_sleep(0.001)`.execute(tx);
  const moment = rows[0]?.moment;
  if (moment === undefined) throw new Error('the database told no time');
  return moment;
}
