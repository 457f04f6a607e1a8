import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import { sqlState } from '../database-errors.ts';
import type { dayTables } from './day-tables.ts';

/** The next sweep tries again, an hour later. */
const attempts = 20;
const longestPauseMs = 2_000;

/**
 * Drops a table's partitions of which every day is before a moment's day.
 * @returns how many; 0 also when others used the table all the time
 */
export const dropDays = (
  db: Db,
  table: (typeof dayTables)[number],
  before: Date,
  stopping: AbortSignal,
): Promise<number> =>
  betweenOthers(db, sql`drop_day_partitions(${table}, ${utcDay(before)}::date)`, stopping);

export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);

/**
 * Calls a function that drops partitions. It waits 50 ms for whoever uses the table, since everybody else waits behind
 * it, and is called again between them.
 */
export async function betweenOthers(
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
      const pauseMs = Math.min(50 * 2 ** attempt, longestPauseMs) * (0.5 + Math.random());
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return 0;
}
