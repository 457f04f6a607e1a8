/**
 * Rate limit per key in this process: `perSecond` on average, with bursts of up to `burst`. Memory is bounded: beyond
 * `maxKeys` keys, the least recently used one is evicted, which can only allow more events, never fewer.
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
   * Takes a token for an event.
   * @param nowMs wall-clock time; moving the clock back never adds tokens
   * @returns false if no tokens were left
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

  /** Returns how many whole events the key may have at once, as of its last event. */
  left(key: string): number {
    return Math.floor(this.#buckets.get(key)?.tokens ?? this.#burst);
  }

  /** Returns a token that was taken for an event that turned out not to count. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#burst, bucket.tokens + 1);
  }
}
