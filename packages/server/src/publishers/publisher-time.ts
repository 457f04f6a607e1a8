import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

/*
 * Times in a program are on the publisher's clock. For a live publisher, that is the service's clock; a sandbox's clock
 * can be ahead. Times related to people, keys and machines are on the service's clock (docs/adr/0046-sandbox.md).
 */

/**
 * Builds a scalar SQL expression for how far a publisher's clock is ahead of the service's clock, in milliseconds (0
 * for a live publisher).
 */
export const aheadMs = (publisherId: string): RawBuilder<bigint> => sql<bigint>`
  coalesce((select max(c.ahead_ms) from clock_move c where c.publisher_id = ${publisherId}), 0)`;

/**
 * Builds a scalar SQL expression for how far a publisher's clock was ahead, in milliseconds, at a given time
 * on the service's clock.
 */
export const aheadMsAt = (
  publisherId: string,
  moment: RawBuilder<unknown>,
): RawBuilder<bigint> => sql<bigint>`
  coalesce((select max(c.ahead_ms) from clock_move c where c.publisher_id = ${publisherId} and c.moved_at <= ${moment}), 0)`;

/**
 * Converts a time `at` on the publisher's clock to the service's clock. A time that the publisher's clock skipped
 * becomes the time when the clock was advanced.
 */
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

export const nowAt = async (db: Db | Tx, clock: Clock, publisherId: string): Promise<Date> =>
  laterBy(clock.now(), await readAheadMs(db, publisherId));

export const laterBy = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);
