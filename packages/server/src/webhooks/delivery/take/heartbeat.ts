import type { Db } from '../../../platform/database/database.ts';
import type { DeliveryState } from '../delivery-state.ts';
import { heartbeatMs, releaseOrphans, stayAlive } from './worker-lease.ts';

/** It has said so by then, before it takes anything: half of what others wait for before they take it for dead. */
const restMs = 4_000;

/**
 * The loop by which a worker says that it lives, so that nobody else takes what it has, and looks for those that do not.
 * With nothing in hand it is silent.
 */
export class Heartbeat {
  readonly #db: Db;
  readonly #state: DeliveryState;
  #saidMs = Number.NEGATIVE_INFINITY;

  constructor(db: Db, state: DeliveryState) {
    this.#db = db;
    this.#state = state;
  }

  /** One round. @returns how long to wait before the next, in milliseconds */
  async beat(): Promise<number> {
    const { inHand, tookMs } = this.#state;
    if (inHand > 0 || performance.now() - tookMs < heartbeatMs) {
      await this.#say(heartbeatMs / 2);
      await releaseOrphans(this.#db);
    }
    return heartbeatMs;
  }

  /** Makes sure that it counts as alive before it takes something, which were an orphan's otherwise. */
  beforeTaking(): Promise<void> {
    return this.#say(restMs);
  }

  async #say(unlessSinceMs: number): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#saidMs < unlessSinceMs) return;
    await stayAlive(this.#db, this.#state.workerId);
    this.#saidMs = nowMs;
  }
}
