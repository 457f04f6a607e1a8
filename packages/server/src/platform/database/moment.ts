import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { Tx } from './in-transaction.ts';

/** Now, by the database's clock: whole milliseconds, cut, because the times that people and clients send have no finer ones. */
export const moment = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;

/**
 * The same, read beforehand: what an `update` sets travels to where the publisher's rows are, and takes values along, no
 * clocks (docs/adr/0034-routing.md). What posts, reverses, merges or pays reads it under its locks.
 */
export async function readMoment(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select ${moment} as at`.execute(db);
  const [read] = rows;
  if (read === undefined) throw new Error('the database told no time');
  return read.at;
}
