import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../platform/database/database.ts';
import { publishersToSettle, settleRows } from './settle-rows.ts';

export interface WorkerOptions {
  db: Db;
  /** Time between two looks when nothing waits. */
  intervalMs: number;
  onSettled(rows: number): void;
  onError(error: unknown): void;
}

export interface Worker {
  /** Resolves when the set under way is committed. */
  stop(): Promise<void>;
}

const pauseAfterErrorMs = 1_000;

/**
 * Settles rows for as long as the process runs. Publishers take turns, one set each, so that a busy one does
 * not keep a quiet one waiting.
 */
export function startSettlement({ db, intervalMs, onSettled, onError }: WorkerOptions): Worker {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let settled = 0;
      let hasFailed = false;
      const attempt = async <Result>(work: Promise<Result>, otherwise: Result): Promise<Result> =>
        work.catch((error) => {
          hasFailed = true;
          onError(error);
          return otherwise;
        });
      for (const publisherId of await attempt(publishersToSettle(db), [])) {
        if (stopping.signal.aborted) return;
        const rows = await attempt(settleRows(db, publisherId), 0); // one that cannot be settled stops no other
        settled += rows;
        if (rows > 0) onSettled(rows);
      }
      if (hasFailed) await pause(pauseAfterErrorMs);
      else if (settled === 0) await pause(intervalMs);
    }
  };
  const pause = (ms: number): Promise<unknown> =>
    sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
