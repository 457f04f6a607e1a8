import { setTimeout as sleep } from 'node:timers/promises';
import { beginStep } from '../database/connections/request-budget.ts';

/** Maximum wait for a result. Proxies abort requests after 30 seconds, and people expect a response much sooner. */
const maxWaitMs = 4_000;

/**
 * Waits a few seconds for work that may take minutes. After that, the work continues in the background. What the
 * request does next is a new step of its time budget, because the wait can use up almost all of it.
 * @param onLateError called if the work fails after this function has returned
 * @returns the result, or null if the work is still running
 */
export async function waitBriefly<Result>(
  work: Promise<Result>,
  onLateError: (error: unknown) => void,
): Promise<Result | null> {
  const waiting = new AbortController();
  const timeout = sleep(maxWaitMs, null, { signal: waiting.signal }).catch(() => null);
  try {
    const result = await Promise.race([work, timeout]);
    if (result === null) work.catch(onLateError);
    return result;
  } finally {
    waiting.abort();
    beginStep();
  }
}
