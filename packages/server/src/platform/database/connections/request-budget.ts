import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestBudget {
  /** Empty for a request without a publisher. */
  readonly tenant: string;
  /** End of the current step, as a value of `performance.now()`. Each subsequent step updates it (`beginStep`). */
  endsAtMs: number;
  /** Maximum duration of the request, or of each of its steps if it has several. */
  readonly stepMs: number;
  /** Latest end of the request, including all its steps, on the same clock. */
  readonly lastMs: number;
  /**
   * Time, on the same clock, up to which the request's replica reads saw all commits. Absent if nothing was read from a
   * replica.
   */
  seenAtMs?: number;
}

const budgets = new AsyncLocalStorage<RequestBudget>();

/** Runs a request's work with a budget that connections can read without passing it through every function. */
export const withBudget = <Result>(budget: RequestBudget, work: () => Result): Result =>
  budgets.run(budget, work);

/** Returns null in commands and background work. */
export const currentBudget = (): RequestBudget | null => budgets.getStore() ?? null;

/** Returns the time the current request has left, or Infinity outside of requests. */
export function leftMs(): number {
  const budget = currentBudget();
  return budget === null ? Number.POSITIVE_INFINITY : budget.endsAtMs - performance.now();
}

/**
 * Starts the next step of a request that makes many commits. Each step gets `stepMs`, but no step may run past
 * `lastMs`.
 */
export function beginStep(): void {
  const budget = currentBudget();
  if (budget !== null) budget.endsAtMs = Math.min(performance.now() + budget.stepMs, budget.lastMs);
}

/** Records that the request has read from a replica that had all commits up to the given time. */
export function noteSeen(atMs: number): void {
  const budget = currentBudget();
  if (budget !== null) budget.seenAtMs = Math.min(budget.seenAtMs ?? atMs, atMs);
}

/**
 * Returns the age of the oldest data that the current request has read, or null if the request has read only
 * from the primary.
 */
export function dataAgeMs(): number | null {
  const seenAtMs = currentBudget()?.seenAtMs;
  return seenAtMs === undefined ? null : performance.now() - seenAtMs;
}
