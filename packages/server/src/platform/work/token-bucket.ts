/**
 * Counts events per key in this process: `perSecond` in the long run, bursts of up to `burst`.
 * Memory is bounded: past `maxKeys` the key unused for longest is forgotten, which only ever forgives.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #maxKeys: number;

  constructor(perSecond: number, burst: number, maxKeys = 10_000) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#maxKeys = maxKeys;
  }

  /**
   * @param nowMs the time of a wall clock; one that was set back refills nothing for the time it repeats
   * @returns whether there was a token for this event; it is spent when there was
   */
  take(key: string, nowMs: number): boolean {
    const before = this.#buckets.get(key);
    const refilled =
      before === undefined
        ? this.#burst
        : Math.min(this.#burst, before.tokens + (Math.max(0, nowMs - before.atMs) / 1_000) * this.#perSecond);
    const allowed = refilled >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: allowed ? refilled - 1 : refilled, atMs: nowMs });
    if (this.#buckets.size > this.#maxKeys) {
      const oldest = this.#buckets.keys().next();
      if (!oldest.done) this.#buckets.delete(oldest.value);
    }
    return allowed;
  }

  /** Gives back a token that was taken for an event which did not count after all. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#burst, bucket.tokens + 1);
  }
}
