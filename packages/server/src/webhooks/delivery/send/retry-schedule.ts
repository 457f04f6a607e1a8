const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Waits between failed attempts (D39). If the attempt after the last wait fails, the delivery has failed
 * permanently.
 */
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

/** Upper limit for a receiver's Retry-After, so that every delivery ends. */
const longestRetryAfterMs = 24 * hour;

/**
 * Returns the time of the next attempt, or null if the delivery has failed permanently.
 * @param tries attempts since the last replay, ≥ 1
 * @param failedAt end of the last attempt
 * @param retryAfterMs wait requested by the receiver; used if it is longer than the schedule's, up to a day
 * @param random value from 0 to 1 that varies the wait by ±20%
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

// Date.parse alone accepts almost anything, such as -5 or 1.5.
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Converts a Retry-After header to milliseconds from now. Returns null if the header is absent or invalid.
 */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * second;
  const at = httpDate.test(header.trim()) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
