import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

/*
 * What a programme says of time is so by its publisher's clock: of a live publisher the service's, of a sandbox one that
 * somebody has moved ahead. What is about people, keys and machines goes by the service's clock alone (docs/adr/0046-sandbox.md).
 */

/** By how many milliseconds the publisher's clock is ahead, as a scalar in SQL; 0 of every live one. */
export const aheadMs = (publisherId: string): RawBuilder<bigint> => sql<bigint>`
  coalesce((select max(c.ahead_ms) from clock_move c where c.publisher_id = ${publisherId}), 0)`;

export async function readAheadMs(db: Db | Tx, publisherId: string): Promise<number> {
  const { rows } = await sql<{ ahead: bigint }>`select ${aheadMs(publisherId)} as ahead`.execute(db);
  return Number(rows[0]?.ahead ?? 0);
}

/** What time it is for a publisher. */
export const nowAt = async (db: Db | Tx, clock: Clock, publisherId: string): Promise<Date> =>
  laterBy(clock.now(), await readAheadMs(db, publisherId));

export const laterBy = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);
