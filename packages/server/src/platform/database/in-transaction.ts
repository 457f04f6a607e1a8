import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Db } from './database.ts';
import { isRetryable } from './database-errors.ts';
import type { OpenTables } from './program-tables.ts';

export type Tx = Transaction<OpenTables>;

const attempts = 5;

/**
 * Runs `work` in one transaction. Serialization failures and deadlocks are retried, up to five attempts in total. A
 * lost connection isn't retried, because the commit may have happened.
 */
export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** Runs `work` in one transaction, and returns the number of rows that it changed. */
export type CountedCommit = (work: (tx: Tx) => Promise<number>) => Promise<number>;
