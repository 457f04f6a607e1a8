import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { startTurns } from '../platform/publisher-turns.ts';
import type { Worker } from '../platform/repeat.ts';
import { completeBounties, publishersToCheck } from './complete-bounties.ts';

export interface BountyWorkerOptions {
  db: Db;
  clock: Clock;
  /** Time between two looks when nothing waits. */
  intervalMs: number;
  onCompleted(count: number): void;
  onError(error: unknown): void;
}

/** Checks progress for as long as the process runs, one set of a publisher at a time. */
export const startBounties = ({ db, clock, intervalMs, onCompleted, onError }: BountyWorkerOptions): Worker =>
  startTurns({
    publishers: () => publishersToCheck(db),
    async work(publisherId) {
      const { checked, completed } = await completeBounties(db, publisherId, clock.now());
      if (completed > 0) onCompleted(completed);
      return checked;
    },
    intervalMs,
    onDone: () => undefined,
    onError,
  });
