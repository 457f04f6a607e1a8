import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../platform/config.ts';

export interface Stoppable {
  /** Reports that the service is not ready, but still serves all requests. */
  prepareToStop(): void;
  /** Finishes pending requests and stops. */
  stop(): Promise<void>;
}

/** Serves until load balancers have noticed that the service is about to stop, and then finishes pending requests. */
export async function drain(
  serving: Stoppable,
  { shutdownDelayMs }: Config,
  print: (line: string) => void,
): Promise<void> {
  serving.prepareToStop();
  if (shutdownDelayMs > 0) {
    print(`Stopping: /readyz now returns 503; serving for another ${shutdownDelayMs / 1_000} s …`);
    await sleep(shutdownDelayMs, undefined, { ref: false });
  }
  print('Stopping: finishing pending requests …');
  await serving.stop();
}

/** Waits until something has closed, at most for a time limit. */
export async function closeInTime(closing: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    closing,
    new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    }),
  ]);
  clearTimeout(timer);
}
