import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import { sqlState } from '../database-errors.ts';
import type { dayTables } from './day-tables.ts';

/** Number of attempts. If all fail, the next sweep tries again an hour later. */
const attempts = 20;
const maxPauseMs = 2_000;

/**
 * Drops a table's partitions that end before the day of `before`.
 * @returns the number of dropped partitions; 0 if the table was in use on every attempt
 */
export const dropDays = (
  db: Db,
  table: (typeof dayTables)[number],
  before: Date,
  stopping: AbortSignal,
): Promise<number> =>
  dropWithoutBlocking(db, sql`drop_day_partitions(${table}, ${utcDay(before)}::date)`, stopping);

export const utcDay = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * Calls a database function that drops partitions. The function waits only 50 ms for its lock, because other sessions
 * queue behind it. If it doesn't get the lock, the call is repeated after a pause.
 */
export async function dropWithoutBlocking(
  db: Db,
  call: RawBuilder<unknown>,
  stopping: AbortSignal,
): Promise<number> {
  for (let attempt = 1; attempt <= attempts && !stopping.aborted; attempt += 1) {
    try {
      const { rows } = await sql<{ dropped: number }>`select ${call} as dropped`.execute(db);
      return rows[0]?.dropped ?? 0;
    } catch (error) {
      if (!['55P03', '40P01'].includes(sqlState(error) ?? '')) throw error;
      const pauseMs = Math.min(50 * 2 ** attempt, maxPauseMs) * (0.5 + Math.random());
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return 0;
}
