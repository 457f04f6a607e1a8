import { setTimeout as sleep } from 'node:timers/promises';

/** Background work that can be stopped. */
export interface Worker {
  /** Resolves when what is under way is done. */
  stop(): Promise<void>;
}

const pauseAfterErrorMs = 1_000;

/**
 * Does a piece of work again and again, never twice at once.
 * @param work returns how long to wait before the next time, in milliseconds
 * @param onError is told of a failure; the work goes on a second later
 */
export function startRepeating(
  work: (stopping: AbortSignal) => Promise<number>,
  onError: (error: unknown) => void,
): Worker {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const pauseMs = await work(stopping.signal).catch((error) => {
        onError(error);
        return pauseAfterErrorMs;
      });
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
