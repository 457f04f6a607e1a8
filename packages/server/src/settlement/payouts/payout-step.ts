import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { sqlState } from '../../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { pinPlans } from '../pin-plans.ts';

/**
 * Until when whoever works on a payout has it to itself; every step moves it on. A process that did no step for so
 * long is taken for dead.
 */
export const endOfLease = (now: Date): Date => new Date(now.getTime() + leaseMs);
const leaseMs = 15_000;

/** A step that waits for one of its locks holds others meanwhile. */
const patience = '300ms';
const pauseMs = 100;
const attemptsMs = 60_000;

/**
 * One step of a payout, which is one commit. When a lock is not to be had soon, those it holds are let go, and the
 * step is tried again: nobody waits for somebody who waits.
 * @param keep called between attempts, to keep the lease
 * @throws Refusal when its locks are not to be had for a minute
 */
export async function inStep<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  keep: () => Promise<unknown>,
): Promise<Result> {
  const deadline = performance.now() + attemptsMs;
  for (;;) {
    try {
      return await inTransaction(db, async (tx) => {
        await sql`select set_config('lock_timeout', ${patience}, true), ${pinPlans}`.execute(tx);
        return work(tx);
      });
    } catch (error) {
      if (sqlState(error) !== '55P03') throw error;
      if (performance.now() > deadline)
        throw new Refusal(
          'Conflict',
          'Members of the group have been changing for a minute; try again later.',
          {
            cause: error,
          },
        );
      await keep();
      await sleep(pauseMs);
    }
  }
}

/** How many rows a step takes: as many as a sixth of a second is enough for, judging by the last one. */
export interface StepSize {
  rows(): number;
  took(rows: number, ms: number): void;
}

/** The machine may be twice as busy by the next step. */
const targetMs = 150;
const fewestRows = 100;
/** It soon doubles; a payout of few members is done at once all the same. */
const firstRows = 250;
/** More would make no step quicker by the row. */
const maxRows = 10_000;

export function newStepSize(): StepSize {
  let size = firstRows;
  return {
    rows: () => size,
    took(rows, ms) {
      const fitting = Math.floor((rows * targetMs) / Math.max(ms, 1));
      // A small last step says little: it makes the next one no smaller than itself was large.
      const next = ms < targetMs ? Math.max(size, fitting) : fitting;
      size = Math.min(maxRows, Math.max(fewestRows, Math.min(next, size * 2)));
    },
  };
}
