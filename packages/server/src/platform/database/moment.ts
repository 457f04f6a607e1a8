import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { Tx } from './in-transaction.ts';

/** Now, by the database's clock: whole milliseconds, cut, because the times that people and clients send have no finer ones. */
export const moment = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;

/**
 * Reads `moment` ahead of the statement that uses it: an `update` is sent to the node with the publisher's rows, and carries
 * values, no clocks (docs/adr/0034-routing.md). Posting, reversals, merges and payouts read it under their locks.
 */
export async function readMoment(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select ${moment} as at`.execute(db);
  const [read] = rows;
  if (read === undefined) throw new Error('the database told no time');
  return read.at;
}
