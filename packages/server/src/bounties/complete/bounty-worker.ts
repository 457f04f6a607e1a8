import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { WaitingWork } from '../../platform/work/poll-for-work.ts';
import { startTurns } from '../../platform/work/publisher-turns.ts';
import type { RestingWorker } from '../../platform/work/repeat.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { anyHasStarted } from './check-begun.ts';
import { completeBounties, publishersToCheck } from './complete-bounties.ts';

export interface BountyWorkerOptions {
  db: Db;
  clock: Clock;
  intervalMs: number;
  onCompleted(count: number): void;
  onError(error: unknown): void;
}

/** Starts the worker that checks progress, one batch of a publisher at a time. */
export const startBounties = ({
  db,
  clock,
  intervalMs,
  onCompleted,
  onError,
}: BountyWorkerOptions): RestingWorker & WaitingWork => ({
  ...startTurns({
    publishers: () => publishersToCheck(db, clock.now()),
    async work(publisherId) {
      const now = await nowAt(db, clock, publisherId);
      const { checked, completed } = await completeBounties(db, publisherId, now);
      if (completed > 0) onCompleted(completed);
      return checked;
    },
    intervalMs,
    onDone: () => undefined,
    onError,
  }),
  waits: () =>
    sql`(exists (select 1 from bounty_progress where needs_check) or ${anyHasStarted(clock.now())})`,
});
