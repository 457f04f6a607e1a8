import { FairShares } from './fair-shares.ts';

interface Waiting {
  start(): void;
}

export interface FairTurnsOptions {
  /** Number of holders at work at once. */
  places: number;
  /** Number of waiting entries, over all holders. */
  waitingPlaces: number;
}

/**
 * Places that holders take in turns: who is alone may have most of them, a free one is left for whoever comes, and of
 * those who wait each gets its turn, however many others of one holder came before.
 */
export class FairTurns {
  readonly #atWork: FairShares;
  readonly #queued: FairShares;
  /** By holder, in the order of whose turn is next. */
  readonly #waiting = new Map<string, Waiting[]>();
  #waitingCount = 0;

  constructor({ places, waitingPlaces }: FairTurnsOptions) {
    this.#atWork = new FairShares(places);
    this.#queued = new FairShares(waitingPlaces);
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /**
   * Waits for a place, which `giveBack` must be called for.
   * @returns false when none was to be had in time, or too many wait already
   */
  async take(holder: string, waitMs: number): Promise<boolean> {
    if (!this.#waiting.has(holder) && this.#atWork.take(holder, 1)) return true;
    if (waitMs <= 0 || !this.#queued.take(holder, 1)) return false;
    this.#waitingCount += 1;
    const hasPlace = await new Promise<boolean>((resolve) => {
      const waiting: Waiting = {
        start() {
          clearTimeout(timer);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        this.#leave(holder, waiting);
        resolve(false);
      }, waitMs);
      const queue = this.#waiting.get(holder);
      if (queue === undefined) this.#waiting.set(holder, [waiting]);
      else queue.push(waiting);
    });
    this.#waitingCount -= 1;
    this.#queued.giveBack(holder, 1);
    return hasPlace;
  }

  giveBack(holder: string): void {
    this.#atWork.giveBack(holder, 1);
    this.#fill();
  }

  /** Gives free places to those who wait, the one who waited longest for a turn first. */
  #fill(): void {
    for (const [holder, queue] of this.#waiting) {
      if (this.#atWork.free === 0) return;
      if (!this.#atWork.take(holder, 1)) continue;
      const next = queue.shift();
      // To the end of the line; the walk comes by again while places are free.
      this.#waiting.delete(holder);
      if (queue.length > 0) this.#waiting.set(holder, queue);
      next?.start();
    }
  }

  #leave(holder: string, waiting: Waiting): void {
    const queue = this.#waiting.get(holder);
    if (queue === undefined) return;
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.#waiting.delete(holder);
  }
}
