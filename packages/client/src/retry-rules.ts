/** Statuses that may be different next time: of the service, and of a proxy whose service is restarting. */
const retriedStatuses: readonly number[] = [408, 429, 502, 503, 504];
/** Maximum number of times that a request is sent. */
export const maxTries = 4;
const firstDelayMs = 500;
const maxDelayMs = 8_000;

/** Attempt that failed. */
export interface FailedTry {
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  /** Status of the response; null if there was none. */
  readonly status: number | null;
  /** Value of the response's Retry-After header. */
  readonly retryAfter: string | null;
}

/**
 * Returns the time until the next attempt, in milliseconds: the response's Retry-After, or else 0.5 s, doubled after each
 * attempt up to 8 s. Half of the pause is random, so that clients don't return at the same time.
 * @param random number from 0 to 1
 * @param now current time in milliseconds since 1970, for tests
 * @returns null if there must be no other attempt
 */
export function delayAfter(
  { attempt, status, retryAfter }: FailedTry,
  random: number,
  now: () => number = Date.now,
): number | null {
  if (attempt >= maxTries || (status !== null && !retriedStatuses.includes(status))) return null;
  const askedMs = retryAfter === null ? null : millisecondsOf(retryAfter, now());
  if (askedMs !== null) return askedMs + random * firstDelayMs;
  const delayMs = Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs);
  return delayMs * (1 - random / 2);
}

/** Reads a Retry-After header: a number of seconds, or a date. */
function millisecondsOf(retryAfter: string, nowMs: number): number | null {
  const atMs = /^\d+$/.test(retryAfter) ? nowMs + Number(retryAfter) * 1_000 : Date.parse(retryAfter);
  return Number.isNaN(atMs) ? null : Math.max(atMs - nowMs, 0);
}
