import { Refusal } from '../../platform/refusal.ts';

/** Of one person. */
const mostAtOnce = 2;

/** Exports under way in this process, so that nobody has more than two. */
export class Exports {
  readonly #running = new Map<string, number>();

  /**
   * @param person who asks
   * @returns what is called at its end, once or more often
   * @throws Refusal RateLimited
   */
  begin(person: string): () => void {
    const running = this.#running.get(person) ?? 0;
    if (running >= mostAtOnce)
      throw new Refusal('RateLimited', 'Two of your exports are under way: let one of them end first.', {
        retryAfterSeconds: 5,
      });
    this.#running.set(person, running + 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      const left = (this.#running.get(person) ?? 1) - 1;
      if (left === 0) this.#running.delete(person);
      else this.#running.set(person, left);
    };
  }
}
