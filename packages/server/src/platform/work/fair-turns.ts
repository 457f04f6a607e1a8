import { FairShares } from './fair-shares.ts';

interface Waiting {
  start(): void;
}

export interface FairTurnsOptions {
  maxRunning: number;
  /** Maximum number of waiting tasks across all tenants. */
  maxWaiting: number;
}

/**
 * Semaphore that is fair to tenants. A single tenant may hold most of the places, but one is left for the next tenant.
 * Free places go to each waiting tenant in turn, no matter how much work a tenant has queued.
 */
export class FairTurns {
  readonly #running: FairShares;
  readonly #queued: FairShares;
  /** Waiting tasks by tenant, starting with the tenant whose turn is next. */
  readonly #waiting = new Map<string, Waiting[]>();
  #waitingCount = 0;

  constructor({ maxRunning, maxWaiting }: FairTurnsOptions) {
    this.#running = new FairShares(maxRunning);
    this.#queued = new FairShares(maxWaiting);
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /**
   * Waits for a place. The caller must return the place with `giveBack`.
   * @returns false if no place became free in time or too many tasks are already waiting
   */
  async take(tenant: string, waitMs: number): Promise<boolean> {
    if (!this.#waiting.has(tenant) && this.#running.take(tenant, 1)) return true;
    if (waitMs <= 0 || !this.#queued.take(tenant, 1)) return false;
    this.#waitingCount += 1;
    const hasPlace = await new Promise<boolean>((resolve) => {
      const waiting: Waiting = {
        start() {
          clearTimeout(timer);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        this.#leave(tenant, waiting);
        resolve(false);
      }, waitMs);
      const queue = this.#waiting.get(tenant);
      if (queue === undefined) this.#waiting.set(tenant, [waiting]);
      else queue.push(waiting);
    });
    this.#waitingCount -= 1;
    this.#queued.giveBack(tenant, 1);
    return hasPlace;
  }

  giveBack(tenant: string): void {
    this.#running.giveBack(tenant, 1);
    this.#fill();
  }

  /** Starts waiting tasks while places are free, starting with the tenant whose last turn was longest ago. */
  #fill(): void {
    for (const [tenant, queue] of this.#waiting) {
      if (this.#running.free === 0) return;
      if (!this.#running.take(tenant, 1)) continue;
      const next = queue.shift();
      // Move the tenant to the end of the line. The loop gets back to it if places are still free.
      this.#waiting.delete(tenant);
      if (queue.length > 0) this.#waiting.set(tenant, queue);
      next?.start();
    }
  }

  #leave(tenant: string, waiting: Waiting): void {
    const queue = this.#waiting.get(tenant);
    if (queue === undefined) return;
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.#waiting.delete(tenant);
  }
}
