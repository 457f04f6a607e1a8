import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { Tx } from './in-transaction.ts';

/** Current time on the database's clock, truncated to milliseconds because clients don't send more precise times. */
export const moment = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;

/**
 * Reads `moment` before the statement that uses it. An `update` is routed to the node with the publisher's rows, so it
 * must contain values rather than clock calls (docs/adr/0034-routing.md). Postings, reversals, merges and payouts read
 * it while holding their locks.
 */
export async function readMoment(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select ${moment} as at`.execute(db);
  const [read] = rows;
  if (read === undefined) throw new Error('the database returned no time');
  return read.at;
}
