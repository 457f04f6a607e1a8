import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom something asks the database, and until when an answer is of use. */
export interface Errand {
  /** The publisher; '' for a request that none has made. */
  readonly holder: string;
  /** On performance.now()'s clock; later where it is done in steps (beginStep). */
  endsAtMs: number;
  /** Longest time of the request, or of each of its steps. */
  readonly stepMs: number;
  /** End of the request, however many steps it has, on the same clock. */
  readonly lastMs: number;
  /** The moment whose changes all reads have seen that a replica answered, on the same clock; absent without such a read. */
  seenAtMs?: number;
}

const errands = new AsyncLocalStorage<Errand>();

/** Runs a request's work, so that connections know whose it is without every function's saying so. */
export const onBehalfOf = <Result>(errand: Errand, work: () => Result): Result => errands.run(errand, work);

/** @returns null for a command, and for what a process does by itself */
export const currentErrand = (): Errand | null => errands.getStore() ?? null;

/** @returns what is left of its time to the request at work; Infinity when nobody waits */
export function leftMs(): number {
  const errand = currentErrand();
  return errand === null ? Number.POSITIVE_INFINITY : errand.endsAtMs - performance.now();
}

/**
 * Begins the next step of something that is done in many commits, as many as were asked for: from now on the request at
 * work has the time of a request again, as long as all its steps together do not take too long.
 */
export function beginStep(): void {
  const errand = currentErrand();
  if (errand !== null) errand.endsAtMs = Math.min(performance.now() + errand.stepMs, errand.lastMs);
}

/** A replica answered, which had all that was committed at this moment. */
export function noteSeen(atMs: number): void {
  const errand = currentErrand();
  if (errand !== null) errand.seenAtMs = Math.min(errand.seenAtMs ?? atMs, atMs);
}

/** @returns how old, at most, the oldest is of what the request at work has read; null when all was the primary's */
export function dataAgeMs(): number | null {
  const seenAtMs = currentErrand()?.seenAtMs;
  return seenAtMs === undefined ? null : performance.now() - seenAtMs;
}
