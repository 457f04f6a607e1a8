interface Bounds {
  maxRunning: number;
  maxWaiting: number;
  maxWaitMs: number;
}

/** Queue that runs a few tasks at a time, in order of arrival. Both its length and the waiting time are limited. */
export class BoundedTurns {
  readonly #bounds: Bounds;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * Runs the work when its turn comes.
   * @param refusal creates the error that is thrown, before the work starts, if the queue is full or the wait is too
   * long
   */
  async run<Result>(refusal: () => Error, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#bounds.maxRunning) this.#running += 1;
    else await this.#wait(refusal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#running -= 1;
      else next(); // takes this turn over
    }
  }

  #wait(refusal: () => Error): Promise<void> {
    if (this.#waiting.size >= this.#bounds.maxWaiting) throw refusal();
    return new Promise((resolve, reject) => {
      const start = (): void => {
        this.#waiting.delete(start);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(start);
        reject(refusal());
      }, this.#bounds.maxWaitMs);
      this.#waiting.add(start);
    });
  }
}
