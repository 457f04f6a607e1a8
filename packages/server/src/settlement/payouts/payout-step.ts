import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { sqlState } from '../../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { pinPlans } from '../pin-plans.ts';

/**
 * Returns the end of a worker's lease on a payout. Every step extends the lease; a process whose lease has expired is
 * assumed dead.
 */
export const endOfLease = (now: Date): Date => new Date(now.getTime() + leaseMs);
const leaseMs = 15_000;

/** Lock timeout for a step. It is short because a waiting step holds other locks. */
const lockTimeout = '300ms';
const pauseMs = 100;
const maxWaitMs = 60_000;

/**
 * Runs one step of a payout in one commit. If the step can't get a lock quickly, it releases the locks it holds and
 * retries, so that no transaction waits for one that is itself waiting.
 * @param extendLease called between attempts
 * @throws Refusal when the step can't get its locks within a minute
 */
export async function inStep<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  extendLease: () => Promise<unknown>,
): Promise<Result> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    try {
      return await inTransaction(db, async (tx) => {
        await sql`select set_config('lock_timeout', ${lockTimeout}, true), ${pinPlans}`.execute(tx);
        return work(tx);
      });
    } catch (error) {
      if (sqlState(error) !== '55P03') throw error;
      if (performance.now() > deadline)
        throw new Refusal(
          'Conflict',
          "Other changes to the group's members are still in progress after a minute. Try again later.",
          {
            cause: error,
          },
        );
      await extendLease();
      await sleep(pauseMs);
    }
  }
}

/** Number of rows per step, adjusted as the payout runs to keep each step at about 150 ms. */
export interface StepSize {
  rows(): number;
  took(rows: number, ms: number): void;
}

/**
 * Target duration of a step, in milliseconds. It is low enough that steps stay short even if the machine suddenly
 * becomes twice as busy.
 */
const targetMs = 150;
const minRows = 100;
/**
 * Number of rows in the first step. Starting small costs little because the size can double with each step, and a
 * payout to a few members still takes a single step.
 */
const firstRows = 250;
/** Maximum number of rows in a step. Larger steps aren't any faster per row. */
const maxRows = 10_000;

export function newStepSize(): StepSize {
  let size = firstRows;
  return {
    rows: () => size,
    took(rows, ms) {
      const fitting = Math.floor((rows * targetMs) / Math.max(ms, 1));
      // A fast step never reduces the size, because a small last step says little about the time per row.
      const next = ms < targetMs ? Math.max(size, fitting) : fitting;
      size = Math.min(maxRows, Math.max(minRows, Math.min(next, size * 2)));
    },
  };
}
