import { FairShares } from '../../work/fair-shares.ts';

interface Waiter {
  holder: string;
  bytes: number;
  settle(hasRoom: boolean): void;
}

/** Requests that may wait for room. */
const maxWaiters = 1_000;

/** Bytes that answers may take, shared out among holders; who finds none may wait a moment for it. */
export class AnswerRoom {
  readonly totalBytes: number;
  readonly #room: FairShares;
  readonly #places = new FairShares(maxWaiters);
  /** In the order they came. */
  readonly #waiters = new Set<Waiter>();
  readonly #maxWaitMs: number;

  constructor(totalBytes: number, maxWaitMs: number) {
    // Half is left to others: the first large page of one of them must fit, whatever one has.
    this.#room = new FairShares(totalBytes, 1);
    this.totalBytes = totalBytes;
    this.#maxWaitMs = maxWaitMs;
  }

  get heldBytes(): number {
    return this.totalBytes - this.#room.free;
  }

  take(holder: string, bytes: number): boolean {
    return this.#room.take(holder, bytes);
  }

  /** Takes when there is room, and waits for it as long as that may be. @returns whether it was taken */
  reserve(holder: string, bytes: number): boolean | Promise<boolean> {
    if (this.take(holder, bytes)) return true;
    if (!this.#places.take(holder, 1)) return false;
    return new Promise((resolve) => {
      const settle = (hasRoom: boolean): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        this.#places.giveBack(holder, 1);
        resolve(hasRoom);
      };
      const waiter = { holder, bytes, settle };
      const timer = setTimeout(() => settle(false), this.#maxWaitMs);
      this.#waiters.add(waiter);
    });
  }

  giveBack(holder: string, bytes: number): void {
    this.#room.giveBack(holder, bytes);
    for (const waiter of this.#waiters) if (this.take(waiter.holder, waiter.bytes)) waiter.settle(true);
  }
}
