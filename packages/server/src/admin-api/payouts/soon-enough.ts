import { setTimeout as sleep } from 'node:timers/promises';

/** Proxies give up on an answer after half a minute; a person looks for a sign long before. */
const patienceMs = 4_000;

/**
 * Waits for work that may take minutes, and goes on by itself when it does.
 * @param onLateError is told when it fails after nobody waits for it any more
 * @returns its result; null while it goes on
 */
export async function soonEnough<Result>(
  work: Promise<Result>,
  onLateError: (error: unknown) => void,
): Promise<Result | null> {
  const waiting = new AbortController();
  const late = sleep(patienceMs, null, { signal: waiting.signal }).catch(() => null);
  try {
    const result = await Promise.race([work, late]);
    if (result === null) work.catch(onLateError);
    return result;
  } finally {
    waiting.abort();
  }
}
