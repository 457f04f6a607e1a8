import type { Db } from '../../../platform/database/database.ts';
import type { DeliveryState } from '../delivery-state.ts';
import { nameOf, release, releaseOrphans, takenBy } from './worker-lease.ts';

const checkEveryMs = 4_000;

/**
 * Releases dead workers' deliveries every few seconds, and deliveries that the database assigns to this worker
 * although it doesn't hold them. Runs at the start of a round, because during a take, deliveries are assigned but
 * not held yet.
 */
export function createLostReleaser(db: Db, state: DeliveryState): () => Promise<void> {
  let checkedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = performance.now();
    if (nowMs - checkedMs < checkEveryMs) return;
    checkedMs = nowMs;
    if (state.heldCount === 0) await releaseOrphans(db); // otherwise the heartbeat does this
    const taken = await takenBy(db, state.workerId);
    const known = state.names();
    const lost = taken.filter((each) => !known.has(nameOf(each)));
    await release(db, state.workerId, lost);
  };
}
