/** Pseudorandom number generator that returns the same sequence in every run (mulberry32). */
export interface Chance {
  /** Returns the next number, 0 ≤ x < 1. */
  next(): number;
  of<Value>(values: readonly Value[]): Value;
  /** Picks a random value. @param weighed values with their relative frequencies */
  weighed<Value>(weighed: readonly (readonly [Value, number])[]): Value;
}

export function chanceOf(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    of(values) {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error('nothing to choose from');
      return value;
    },
    weighed(weighed) {
      let left = next() * weighed.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of weighed) {
        left -= weight;
        if (left < 0) return value;
      }
      throw new Error('nothing to choose from');
    },
  };
}
