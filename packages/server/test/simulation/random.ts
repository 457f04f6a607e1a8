/** Random choices determined by a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** @returns 0 … 2^32 − 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  below(bound: number): number {
    return this.next() % bound;
  }

  /** Returns true with a probability of one in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }
}

/**
 * Returns the random choices for one place in a run. The choices don't depend on choices made in other
 * places.
 */
export function randomOf(seed: number, ...place: readonly number[]): Random {
  let mixed = seed >>> 0;
  for (const number of place) mixed = new Random(mixed ^ Math.imul(number + 1, 0x9e3779b1)).next();
  return new Random(mixed);
}
