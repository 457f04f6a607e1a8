import type { Db } from '../src/platform/database/database.ts';
import { startPolling, type WaitingWork } from '../src/platform/work/poll-for-work.ts';
import type { Worker } from '../src/platform/work/repeat.ts';

/** Starts a worker, and polls for its work more often than its process would. */
export function woken(
  db: Db,
  worker: Worker & WaitingWork,
  onError: (error: unknown) => void = () => undefined,
): Worker {
  const looking = startPolling({ db, everyMs: 20, workers: [worker], onError });
  return {
    async stop() {
      await looking.stop();
      await worker.stop();
    },
  };
}
