import type { Db } from '../../../platform/database/database.ts';
import type { DeliveryState } from '../delivery-state.ts';
import { nameOf, release, releaseOrphans, takenBy } from './worker-lease.ts';

const lookEveryMs = 4_000;

/**
 * Frees, every few seconds, what dead workers had, and gives back what the database says is ours and we do not know of.
 * Never beside a take, whose answer is under way: so it is the beginning of a round that takes.
 */
export function freeingLost(db: Db, state: DeliveryState): () => Promise<void> {
  let lookedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = performance.now();
    if (nowMs - lookedMs < lookEveryMs) return;
    lookedMs = nowMs;
    if (state.inHand === 0) await releaseOrphans(db); // else the heartbeat does
    const taken = await takenBy(db, state.workerId);
    const known = state.names();
    const lost = taken.filter((each) => !known.has(nameOf(each)));
    await release(db, state.workerId, lost);
  };
}
