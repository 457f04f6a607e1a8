const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits between one failed attempt and the next (D39); after the last one a delivery has failed. */
const waitsMs = [
  5 * second,
  30 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** A receiver that asks for more gets no more: a delivery must come to an end. */
const longestRetryAfterMs = 24 * hour;

/**
 * When to try again.
 * @param tries attempts made so far, since the last replay, ≥ 1
 * @param failedAt the end of the last one
 * @param retryAfterMs what the receiver asked for; kept, up to a day, when it is longer than the schedule's wait
 * @param random 0 … 1, spreads the wait by ±20 %
 * @returns null when the delivery has failed
 */
export function nextAttemptAt(
  tries: number,
  failedAt: Date,
  retryAfterMs: number | null,
  random: number,
): Date | null {
  const waitMs = waitsMs[tries - 1];
  if (waitMs === undefined) return null;
  const spread = waitMs * (0.8 + 0.4 * random);
  return new Date(failedAt.getTime() + Math.max(spread, Math.min(retryAfterMs ?? 0, longestRetryAfterMs)));
}

// Date.parse alone finds a date in almost anything, such as -5 or 1.5.
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** @returns milliseconds from now, or null for a header that says nothing */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * second;
  const at = httpDate.test(header.trim()) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
