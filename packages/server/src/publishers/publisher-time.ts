import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

/*
 * What a program says of time is so by its publisher's clock: of a live publisher the service's, of a sandbox one that
 * somebody has moved ahead. What is about people, keys and machines goes by the service's clock alone (docs/adr/0046-sandbox.md).
 */

/** By how many milliseconds the publisher's clock is ahead, as a scalar in SQL; 0 of every live one. */
export const aheadMs = (publisherId: string): RawBuilder<bigint> => sql<bigint>`
  coalesce((select max(c.ahead_ms) from clock_move c where c.publisher_id = ${publisherId}), 0)`;

/** By how many milliseconds the publisher's clock was ahead at a moment of the service's, as a scalar in SQL. */
export const aheadMsAt = (
  publisherId: string,
  moment: RawBuilder<unknown>,
): RawBuilder<bigint> => sql<bigint>`
  coalesce((select max(c.ahead_ms) from clock_move c where c.publisher_id = ${publisherId} and c.moved_at <= ${moment}), 0)`;

/** The service's time when the publisher's clock said `at`; of a time that the clock has skipped, when it did. */
export async function serviceTimeOf(db: Db | Tx, publisherId: string, at: Date): Promise<Date> {
  const { rows } = await sql<{ ahead_ms: bigint; moved_at: Date }>`
    select c.ahead_ms, c.moved_at
    from clock_move c
    where c.publisher_id = ${publisherId}
    order by c.ahead_ms desc`.execute(db);
  let next: Date | null = null;
  for (const { ahead_ms, moved_at } of rows) {
    if (laterBy(moved_at, Number(ahead_ms)) <= at) return earlier(laterBy(at, -Number(ahead_ms)), next);
    next = moved_at;
  }
  return earlier(at, next);
}

const earlier = (one: Date, other: Date | null): Date => (other !== null && other < one ? other : one);

export async function readAheadMs(db: Db | Tx, publisherId: string): Promise<number> {
  const { rows } = await sql<{ ahead: bigint }>`select ${aheadMs(publisherId)} as ahead`.execute(db);
  return Number(rows[0]?.ahead ?? 0);
}

/** What time it is for a publisher. */
export const nowAt = async (db: Db | Tx, clock: Clock, publisherId: string): Promise<Date> =>
  laterBy(clock.now(), await readAheadMs(db, publisherId));

export const laterBy = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);
