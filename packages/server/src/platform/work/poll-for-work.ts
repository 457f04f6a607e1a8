import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { startRepeating, type Worker } from './repeat.ts';

/** Background work that may have to process rows written by other processes. */
export interface WaitingWork {
  /** SQL condition that is true if there is work now. */
  waits(): RawBuilder<unknown>;
  wake(): void;
}

export interface PollOptions {
  db: Db;
  everyMs: number;
  workers: readonly WaitingWork[];
  onError(error: unknown): void;
}

/** Polls the database with one statement for all workers, and wakes those that have work to do. */
export function startPolling({ db, everyMs, workers, onError }: PollOptions): Worker {
  return startRepeating(async () => {
    const conditions = workers.map((worker, index) => sql`${worker.waits()} as ${sql.ref(`work_${index}`)}`);
    const { rows } = await sql<Record<string, boolean | null>>`select ${sql.join(conditions)}`.execute(db);
    for (const [index, worker] of workers.entries()) if (rows[0]?.[`work_${index}`]) worker.wake();
    return everyMs;
  }, onError);
}
