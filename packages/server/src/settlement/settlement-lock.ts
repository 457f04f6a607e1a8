import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';

const lockClass = 1_954; // any number; it keeps these locks apart from other advisory locks

/** Held by whatever makes rows or clawbacks payable: such commits run beside each other, never beside a payout's. */
export async function lockForSettling(tx: Tx, publisherId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockClass}, hashtext(${publisherId}))`.execute(tx);
}

/**
 * A moment such that every row settled up to it can be seen from now on: waits for the sets under way, and
 * sets that start later write a later time.
 */
export async function momentOfSettlement(tx: Tx, publisherId: string): Promise<Date> {
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${publisherId}))`.execute(tx);
  // Whole milliseconds, because that is what an asOf is written and read with; cut, never rounded up.
  const { rows } = await sql<{
    moment: Date;
  }>`select date_trunc('milliseconds', clock_timestamp()) as moment`.execute(tx);
  const moment = rows[0]?.moment;
  if (moment === undefined) throw new Error('the database told no time');
  return moment;
}
