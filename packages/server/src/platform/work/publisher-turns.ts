import { type RestingWorker, startWhenWoken } from './repeat.ts';

export interface TurnsOptions {
  publishers(): Promise<string[]>;
  /** Runs one publisher's turn. @returns the amount of work done; 0 if there was none */
  work(publisherId: string): Promise<number>;
  /**
   * Amount of work that makes a turn count as full. A full turn may leave work behind, so the next round starts
   * immediately. Defaults to 1.
   */
  fullTurn?: number;
  /** Time between polls while there is work. */
  intervalMs: number;
  /** Called after every turn that did any work. */
  onDone(count: number): void;
  onError(error: unknown): void;
}

const pauseAfterErrorMs = 1_000;

/**
 * Starts background work that gives each publisher a turn, so that a busy publisher doesn't delay a quiet one and a
 * failure affects only one publisher.
 */
export function startTurns({
  publishers,
  work,
  fullTurn = 1,
  intervalMs,
  onDone,
  onError,
}: TurnsOptions): RestingWorker {
  return startWhenWoken(async (stopping) => {
    let done = 0;
    let isMoreLeft = false;
    let hasFailed = false;
    for (const publisherId of await publishers()) {
      if (stopping.aborted) return { pauseMs: 0, isBusy: false };
      const count = await work(publisherId).catch((error) => {
        hasFailed = true;
        onError(error);
        return 0;
      });
      done += count;
      if (count >= fullTurn) isMoreLeft = true;
      if (count > 0) onDone(count);
    }
    if (hasFailed) return { pauseMs: pauseAfterErrorMs, isBusy: true };
    return { pauseMs: isMoreLeft ? 0 : intervalMs, isBusy: done > 0 };
  }, onError);
}
