import { setTimeout as sleep } from 'node:timers/promises';
import { WakeUp } from './wake-up.ts';

export interface Worker {
  /** Resolves when the current round is done. */
  stop(): Promise<void>;
}

export interface RestingWorker extends Worker {
  /** Called when there may be work. */
  wake(): void;
}

export interface Round {
  pauseMs: number;
  /** True if there was work to do. */
  isBusy: boolean;
}

const pauseAfterErrorMs = 1_000;
const restAfterMs = 2_000;

/**
 * Runs work repeatedly, never concurrently with itself.
 * @param work returns the pause before the next round, in milliseconds
 * @param onError called for each failure; the next round then starts one second later
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

/**
 * Repeats intermittent work. The loop polls until there has been no work for two seconds, and then sleeps until it is
 * woken. A steady trickle of work therefore costs no more than it would with `startRepeating` and never waits for a
 * wake-up.
 */
export function startWhenWoken(
  work: (stopping: AbortSignal) => Promise<Round>,
  onError: (error: unknown) => void,
): RestingWorker {
  const wakeUp = new WakeUp();
  let busyMs = Number.NEGATIVE_INFINITY;
  const worker = startRepeating(async (stopping) => {
    if (performance.now() - busyMs > restAfterMs) await wakeUp.wait(stopping);
    if (stopping.aborted) return 0;
    const before = busyMs;
    busyMs = performance.now(); // retries a failed round without a wake-up
    const { pauseMs, isBusy } = await work(stopping);
    busyMs = isBusy ? performance.now() : before;
    return pauseMs;
  }, onError);
  return { stop: () => worker.stop(), wake: () => wakeUp.wake() };
}
