import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { startRepeating, type Worker } from './repeat.ts';

/** Background work that other processes may have left something for. */
export interface WaitingWork {
  /** A condition in SQL: whether something waits now. */
  waits(): RawBuilder<unknown>;
  wake(): void;
}

export interface LookOptions {
  db: Db;
  everyMs: number;
  works: readonly WaitingWork[];
  onError(error: unknown): void;
}

/** Asks the database again and again, with one statement for all of them, which works have something to do, and wakes those. */
export function startLooking({ db, everyMs, works, onError }: LookOptions): Worker {
  return startRepeating(async () => {
    const conditions = works.map((work, index) => sql`${work.waits()} as ${sql.ref(`work_${index}`)}`);
    const { rows } = await sql<Record<string, boolean | null>>`select ${sql.join(conditions)}`.execute(db);
    for (const [index, work] of works.entries()) if (rows[0]?.[`work_${index}`]) work.wake();
    return everyMs;
  }, onError);
}
