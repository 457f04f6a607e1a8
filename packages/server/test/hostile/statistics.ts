import type { Sent } from './send-hostile.ts';

export class Statistics {
  readonly #statuses = new Map<string, Map<number, number>>();
  readonly #tookMs = new Map<string, number>();
  #requests = 0;
  #retried = 0;
  #seconds = 0;

  add({ requests, retried, statuses, tookMs }: Sent, seconds: number): void {
    this.#requests += requests;
    this.#retried += retried;
    this.#seconds += seconds;
    for (const [operation, counts] of statuses) {
      const known = this.#statuses.get(operation) ?? new Map<number, number>();
      this.#statuses.set(operation, known);
      for (const [status, count] of counts) known.set(status, (known.get(status) ?? 0) + count);
      this.#tookMs.set(operation, (this.#tookMs.get(operation) ?? 0) + (tookMs.get(operation) ?? 0));
    }
  }

  neverSuccessful(): string[] {
    return [...this.#statuses]
      .filter(([, counts]) => ![...counts.keys()].some((status) => status >= 200 && status < 400))
      .map(([operation]) => operation)
      .sort();
  }

  toString(): string {
    const sums = new Map<number, number>();
    for (const counts of this.#statuses.values())
      for (const [status, count] of counts) sums.set(status, (sums.get(status) ?? 0) + count);
    const byStatus = [...sums]
      .sort(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${count}`);
    const slowest = [...this.#tookMs]
      .sort(([, one], [, other]) => other - one)
      .slice(0, 5)
      .map(([operation, ms]) => `${operation} ${(ms / this.#countOf(operation)).toFixed(1)} ms`);
    return [
      `${this.#requests} requests to ${this.#statuses.size} operations, ${Math.round(this.#requests / this.#seconds)} per second: ${byStatus.join(', ')}; ${this.#retried} retried because the machine was busy`,
      `most time for ${slowest.join(', ')}`,
    ].join('\n');
  }

  #countOf(operation: string): number {
    return [...(this.#statuses.get(operation)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }
}
