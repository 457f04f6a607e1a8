import { boundedCache } from './bounded-cache.ts';

/** Answer and its cost, such as the number of rows or members that were read for it. */
export interface Weighed<Answer> {
  answer: Answer;
  weight: number;
}

const ttlMs = 30_000;

/**
 * Caches answers that are expensive to read, for half a minute: when twenty people open the sums of three months of ten
 * thousand creators, the database computes them once. Cheap answers are never cached, so they are always current.
 */
export class AnswerCache<Answer> {
  readonly #cached;
  readonly #minWeight: number;

  /** Creates an empty cache. @param minWeight answers that weigh less are not cached */
  constructor(minWeight: number, maxEntries: number) {
    this.#minWeight = minWeight;
    this.#cached = boundedCache<{ answer: Answer }>(maxEntries, ttlMs);
  }

  /** Returns the cached answer, or reads it. @param key everything except the time that the answer depends on */
  async get(key: readonly unknown[], read: () => Promise<Weighed<Answer>>): Promise<Answer> {
    const name = JSON.stringify(key);
    const cached = this.#cached.get(name);
    if (cached !== undefined) return cached.answer;
    const { answer, weight } = await read();
    if (weight >= this.#minWeight) this.#cached.set(name, { answer });
    return answer;
  }
}
