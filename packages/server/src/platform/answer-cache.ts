import { boundedCache } from './bounded-cache.ts';

/** Answer and the cost of computing it, such as the number of rows read. */
export interface Weighed<Answer> {
  answer: Answer;
  weight: number;
}

const ttlMs = 30_000;

/**
 * Caches expensive answers for half a minute. When twenty people open three months of totals for ten thousand creators,
 * the database computes them only once. Cheap answers are never cached, so they are always current.
 */
export class AnswerCache<Answer> {
  readonly #cached;
  readonly #minWeight: number;

  /** @param minWeight answers with a lower weight are never cached */
  constructor(minWeight: number, maxEntries: number) {
    this.#minWeight = minWeight;
    this.#cached = boundedCache<{ answer: Answer }>(maxEntries, ttlMs);
  }

  /** @param key everything that determines the answer, except the time */
  async get(key: readonly unknown[], read: () => Promise<Weighed<Answer>>): Promise<Answer> {
    const name = JSON.stringify(key);
    const cached = this.#cached.get(name);
    if (cached !== undefined) return cached.answer;
    const { answer, weight } = await read();
    if (weight >= this.#minWeight) this.#cached.set(name, { answer });
    return answer;
  }
}
