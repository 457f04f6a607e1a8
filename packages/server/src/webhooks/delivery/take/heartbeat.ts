import type { Db } from '../../../platform/database/database.ts';
import type { DeliveryState } from '../delivery-state.ts';
import { heartbeatMs, releaseOrphans, renewLease } from './worker-lease.ts';

/**
 * Maximum age of a heartbeat with which a worker may take deliveries: half the time after which it counts as dead.
 */
const maxLeaseAgeMs = 4_000;

/**
 * Heartbeat of a worker. Renews the worker's lease, so that no other worker takes its deliveries, and releases dead
 * workers' deliveries. A worker without deliveries doesn't write.
 */
export class Heartbeat {
  readonly #db: Db;
  readonly #state: DeliveryState;
  #renewedMs = Number.NEGATIVE_INFINITY;

  constructor(db: Db, state: DeliveryState) {
    this.#db = db;
    this.#state = state;
  }

  /** Runs one round and returns the pause before the next, in milliseconds. */
  async beat(): Promise<number> {
    const { heldCount, tookMs } = this.#state;
    if (heldCount > 0 || performance.now() - tookMs < heartbeatMs) {
      await this.#renew(heartbeatMs / 2);
      await releaseOrphans(this.#db);
    }
    return heartbeatMs;
  }

  /** Renews the lease before deliveries are taken. Without a lease, they would count as orphaned. */
  beforeTaking(): Promise<void> {
    return this.#renew(maxLeaseAgeMs);
  }

  async #renew(unlessSinceMs: number): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#renewedMs < unlessSinceMs) return;
    await renewLease(this.#db, this.#state.workerId);
    this.#renewedMs = nowMs;
  }
}
