const minute = 60_000;
/** Waits between failed attempts, about a day in total. */
const waitsMs = [1, 5, 15, 60, 120, 240, 480, 600].map((minutes) => minutes * minute);

/**
 * Time limit for sending an email. After that, another process sends it, because the first one must have died. Longer than any
 * attempt.
 */
export const mailLeaseMs = 5 * minute;

export type MailStatus = 'Waiting' | 'Sent' | 'Failed';

export interface MailOutcome {
  status: MailStatus;
  /** Time of the next attempt; null if there is none. */
  nextAttemptAt: Date | null;
}

/**
 * Returns what follows an attempt to send a stored email.
 * @param attemptCount number of attempts so far, including this one
 */
export function afterAttempt(attemptCount: number, isSent: boolean, now: Date): MailOutcome {
  if (isSent) return { status: 'Sent', nextAttemptAt: null };
  const waitMs = waitsMs[attemptCount - 1];
  if (waitMs === undefined) return { status: 'Failed', nextAttemptAt: null };
  return { status: 'Waiting', nextAttemptAt: new Date(now.getTime() + waitMs) };
}
