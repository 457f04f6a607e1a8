interface Bounds {
  atOnce: number;
  /** Further ones that wait for their turn. */
  maxWaiting: number;
  maxWaitMs: number;
}

/** Runs work a few at a time, in the order it came; the rest waits, within bounds. */
export class BoundedTurns {
  readonly #bounds: Bounds;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * @param refusal makes what is thrown where too many wait, or the wait takes too long; nothing was begun then
   */
  async run<Result>(refusal: () => Error, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#bounds.atOnce) this.#running += 1;
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
      const begin = (): void => {
        this.#waiting.delete(begin);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(refusal());
      }, this.#bounds.maxWaitMs);
      this.#waiting.add(begin);
    });
  }
}
