import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { startRepeating, type Worker } from './repeat.ts';

/** Background work that may have to process rows written by other processes. */
export interface WaitingWork {
  /** SQL condition that is true when there is work now. */
  waits(): RawBuilder<unknown>;
  wake(): void;
}

export interface PollOptions {
  db: Db;
  everyMs: number;
  works: readonly WaitingWork[];
  onError(error: unknown): void;
}

/** Polls the database, with one statement for all works, and wakes those that have something to do. */
export function startPolling({ db, everyMs, works, onError }: PollOptions): Worker {
  return startRepeating(async () => {
    const conditions = works.map((work, index) => sql`${work.waits()} as ${sql.ref(`work_${index}`)}`);
    const { rows } = await sql<Record<string, boolean | null>>`select ${sql.join(conditions)}`.execute(db);
    for (const [index, work] of works.entries()) if (rows[0]?.[`work_${index}`]) work.wake();
    return everyMs;
  }, onError);
}
