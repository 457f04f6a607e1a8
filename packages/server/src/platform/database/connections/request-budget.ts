import { AsyncLocalStorage } from 'node:async_hooks';

/** Tenant of the current request and the database time that it has left. */
export interface RequestBudget {
  /** The publisher; '' for a request without one. */
  readonly tenant: string;
  /** End of the current step on performance.now()'s clock; each further step moves it (`beginStep`). */
  endsAtMs: number;
  /** Longest time of the request, or of each of its steps. */
  readonly stepMs: number;
  /** End of the request with all its steps, on the same clock. */
  readonly lastMs: number;
  /** Time up to which all reads from a replica had every commit, on the same clock; absent without such reads. */
  seenAtMs?: number;
}

const budgets = new AsyncLocalStorage<RequestBudget>();

/** Runs a request's work with a budget, which connections read without having it passed through every function. */
export const withBudget = <Result>(budget: RequestBudget, work: () => Result): Result =>
  budgets.run(budget, work);

/** Returns the budget of the current request; null in commands and background work. */
export const currentBudget = (): RequestBudget | null => budgets.getStore() ?? null;

/** Returns the time that the current request has left; Infinity outside of requests. */
export function leftMs(): number {
  const budget = currentBudget();
  return budget === null ? Number.POSITIVE_INFINITY : budget.endsAtMs - performance.now();
}

/**
 * Starts the next step of a request that makes many commits. The request gets the time of a step again, as long as all its
 * steps together don't take too long.
 */
export function beginStep(): void {
  const budget = currentBudget();
  if (budget !== null) budget.endsAtMs = Math.min(performance.now() + budget.stepMs, budget.lastMs);
}

/** Notes that the request has read from a replica, which had all commits up to the given time. */
export function noteSeen(atMs: number): void {
  const budget = currentBudget();
  if (budget !== null) budget.seenAtMs = Math.min(budget.seenAtMs ?? atMs, atMs);
}

/** Returns the greatest age of the data that the current request has read; null when it has read only from the primary. */
export function dataAgeMs(): number | null {
  const seenAtMs = currentBudget()?.seenAtMs;
  return seenAtMs === undefined ? null : performance.now() - seenAtMs;
}
