import { boundedCache } from './bounded-cache.ts';

/** Answer and its cost, such as the number of rows or members that were read to compute it. */
export interface Weighed<Answer> {
  answer: Answer;
  weight: number;
}

const ttlMs = 30_000;

/**
 * Caches expensive answers for half a minute. When twenty people open three months of totals for ten thousand
 * creators, the database computes them once. Cheap answers are never cached and are therefore always current.
 */
export class AnswerCache<Answer> {
  readonly #cached;
  readonly #minWeight: number;

  /** Creates an empty cache. @param minWeight lowest weight of an answer that is cached */
  constructor(minWeight: number, maxEntries: number) {
    this.#minWeight = minWeight;
    this.#cached = boundedCache<{ answer: Answer }>(maxEntries, ttlMs);
  }

  /**
   * Returns the cached answer, or reads it.
   * @param key everything that determines the answer, except the time itself
   */
  async get(key: readonly unknown[], read: () => Promise<Weighed<Answer>>): Promise<Answer> {
    const name = JSON.stringify(key);
    const cached = this.#cached.get(name);
    if (cached !== undefined) return cached.answer;
    const { answer, weight } = await read();
    if (weight >= this.#minWeight) this.#cached.set(name, { answer });
    return answer;
  }
}
