/**
 * Divides a bounded good (queue rows, connections, bytes) among those who ask. Whoever is alone may take most of it,
 * and nobody can take what another needs: a holder may have at most `weight` times what would still be free, so each
 * further one finds something left (dynamic thresholds, as switches divide their buffers: Choudhury and Hahne, 1998).
 */
export class FairShares {
  readonly #total: number;
  readonly #weight: number;
  readonly #held = new Map<string, number>();
  #free: number;

  /**
   * @param total how much there is
   * @param weight one holder alone gets weight / (weight + 1) of it
   */
  constructor(total: number, weight = 4) {
    this.#total = total;
    this.#weight = weight;
    this.#free = total;
  }

  get free(): number {
    return this.#free;
  }

  get total(): number {
    return this.#total;
  }

  /** Returns true when a holder that has nothing could get the amount while everything is free. */
  fits(amount: number): boolean {
    return amount <= this.#total;
  }

  held(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  /** Returns true when the holder may take the amount now. A holder that has nothing may take whatever is free. */
  mayTake(holder: string, amount: number): boolean {
    if (amount > this.#free) return false;
    const held = this.held(holder);
    return held === 0 || held + amount <= this.#weight * (this.#free - amount);
  }

  /** The most that the holder may take now. */
  left(holder: string): number {
    const held = this.held(holder);
    if (held === 0) return this.#free;
    const most = Math.floor((this.#weight * this.#free - held) / (this.#weight + 1));
    return Math.max(0, Math.min(this.#free, most));
  }

  /** @returns false, having taken nothing, when the holder may not have so much more now */
  take(holder: string, amount: number): boolean {
    if (!this.mayTake(holder, amount)) return false;
    this.#held.set(holder, this.held(holder) + amount);
    this.#free -= amount;
    return true;
  }

  giveBack(holder: string, amount: number): void {
    const left = this.held(holder) - amount;
    if (left < 0) throw new Error('more was given back than was taken');
    if (left === 0) this.#held.delete(holder);
    else this.#held.set(holder, left);
    this.#free += amount;
  }
}
