import { boundedCache } from './bounded-cache.ts';

/** An answer, and what reading it took: rows added up, members looked at. */
export interface Weighed<Answer> {
  answer: Answer;
  weight: number;
}

const keptMs = 30_000;

/**
 * Shares what takes long to read: twenty people who look at the sums of three months of ten thousand creators cost as much
 * as one does. Such an answer is half a minute old at most; what is light is never kept, and so always of now.
 */
export class KeptAnswers<Answer> {
  readonly #kept;
  readonly #heavyFrom: number;

  /**
   * @param heavyFrom an answer that took less is read each time
   * @param most how many are kept
   */
  constructor(heavyFrom: number, most: number) {
    this.#heavyFrom = heavyFrom;
    this.#kept = boundedCache<{ answer: Answer }>(most, keptMs);
  }

  /** @param key everything that the answer depends on but time */
  async ask(key: readonly unknown[], read: () => Promise<Weighed<Answer>>): Promise<Answer> {
    const name = JSON.stringify(key);
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept.answer;
    const { answer, weight } = await read();
    if (weight >= this.#heavyFrom) this.#kept.set(name, { answer });
    return answer;
  }
}
