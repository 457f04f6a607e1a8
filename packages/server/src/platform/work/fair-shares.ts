/**
 * Divides a bounded resource (queue rows, connections, bytes) among tenants. A tenant may hold at most `weight` times
 * the amount that is still free. A single tenant can therefore take most of the resource, but some is always left for
 * the next one (dynamic thresholds, as in shared-memory switches: Choudhury and Hahne, 1998).
 */
export class FairShares {
  readonly #total: number;
  readonly #weight: number;
  readonly #held = new Map<string, number>();
  #free: number;

  /**
   * Creates shares of a resource, all of which is free at first.
   * @param total size of the resource
   * @param weight a single tenant gets up to weight / (weight + 1) of the resource
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

  /** Returns whether a tenant could get this amount if the entire resource were free. */
  fits(amount: number): boolean {
    return amount <= this.#total;
  }

  held(tenant: string): number {
    return this.#held.get(tenant) ?? 0;
  }

  /**
   * Returns whether the tenant may take this amount now. A tenant that holds nothing may take everything that is free.
   */
  mayTake(tenant: string, amount: number): boolean {
    if (amount > this.#free) return false;
    const held = this.held(tenant);
    return held === 0 || held + amount <= this.#weight * (this.#free - amount);
  }

  left(tenant: string): number {
    const held = this.held(tenant);
    if (held === 0) return this.#free;
    const max = Math.floor((this.#weight * this.#free - held) / (this.#weight + 1));
    return Math.max(0, Math.min(this.#free, max));
  }

  /** Takes the amount if the tenant may have all of it. @returns whether the amount was taken */
  take(tenant: string, amount: number): boolean {
    if (!this.mayTake(tenant, amount)) return false;
    this.#held.set(tenant, this.held(tenant) + amount);
    this.#free -= amount;
    return true;
  }

  giveBack(tenant: string, amount: number): void {
    const left = this.held(tenant) - amount;
    if (left < 0) throw new Error('more was given back than was taken');
    if (left === 0) this.#held.delete(tenant);
    else this.#held.set(tenant, left);
    this.#free += amount;
  }
}
