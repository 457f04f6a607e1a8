import { type RestingWorker, startWhenWoken } from './repeat.ts';

export interface TurnsOptions {
  /** The publishers that have something to do. */
  publishers(): Promise<string[]>;
  /** One publisher's turn. @returns how much was done; 0 when nothing was left to do */
  work(publisherId: string): Promise<number>;
  /** Amount of work that shows a turn has left some over; 1 when absent: any work leads to another turn at once. */
  fullTurn?: number;
  /** Time between two looks of its own, while something was done lately. */
  intervalMs: number;
  /** Called after every turn that did something. */
  onDone(count: number): void;
  onError(error: unknown): void;
}

const pauseAfterErrorMs = 1_000;

/**
 * Background work on what publishers have waiting. They take turns, so that a busy one does not keep a quiet one
 * waiting, and one that fails stops no other.
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
