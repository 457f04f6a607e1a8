import type { Db } from '../platform/database/database.ts';
import { startRepeating, type Worker } from '../platform/repeat.ts';
import { publishersToSettle, settleRows } from './settle-rows.ts';

export interface SettlementOptions {
  db: Db;
  /** Time between two looks when nothing waits. */
  intervalMs: number;
  onSettled(rows: number): void;
  onError(error: unknown): void;
}

const pauseAfterErrorMs = 1_000;

/**
 * Settles rows for as long as the process runs. Publishers take turns, one set each, so that a busy one does
 * not keep a quiet one waiting; one that cannot be settled stops no other.
 */
export function startSettlement({ db, intervalMs, onSettled, onError }: SettlementOptions): Worker {
  return startRepeating(async (stopping) => {
    let settled = 0;
    let hasFailed = false;
    for (const publisherId of await publishersToSettle(db)) {
      if (stopping.aborted) return 0;
      const rows = await settleRows(db, publisherId).catch((error) => {
        hasFailed = true;
        onError(error);
        return 0;
      });
      settled += rows;
      if (rows > 0) onSettled(rows);
    }
    if (hasFailed) return pauseAfterErrorMs;
    return settled === 0 ? intervalMs : 0;
  }, onError);
}
