import { FairShares } from '../../work/fair-shares.ts';

interface Waiter {
  tenant: string;
  bytes: number;
  settle(isTaken: boolean): void;
}

const maxWaiters = 1_000;

/** Memory for responses, shared among tenants. A request may briefly wait for memory. */
export class AnswerMemory {
  readonly totalBytes: number;
  readonly #shares: FairShares;
  readonly #places = new FairShares(maxWaiters);
  /** Requests waiting for memory, in order of arrival. */
  readonly #waiters = new Set<Waiter>();
  readonly #maxWaitMs: number;

  constructor(totalBytes: number, maxWaitMs: number) {
    // A single tenant can get half, so that another tenant's first large page always fits.
    this.#shares = new FairShares(totalBytes, 1);
    this.totalBytes = totalBytes;
    this.#maxWaitMs = maxWaitMs;
  }

  get heldBytes(): number {
    return this.totalBytes - this.#shares.free;
  }

  take(tenant: string, bytes: number): boolean {
    return this.#shares.take(tenant, bytes);
  }

  /** Reserves memory, waiting for it if necessary. @returns false if not enough memory became available in time */
  reserve(tenant: string, bytes: number): boolean | Promise<boolean> {
    if (this.take(tenant, bytes)) return true;
    if (!this.#places.take(tenant, 1)) return false;
    return new Promise((resolve) => {
      const settle = (isTaken: boolean): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        this.#places.giveBack(tenant, 1);
        resolve(isTaken);
      };
      const waiter = { tenant, bytes, settle };
      const timer = setTimeout(() => settle(false), this.#maxWaitMs);
      this.#waiters.add(waiter);
    });
  }

  giveBack(tenant: string, bytes: number): void {
    this.#shares.giveBack(tenant, bytes);
    for (const waiter of this.#waiters) if (this.take(waiter.tenant, waiter.bytes)) waiter.settle(true);
  }
}
