import type { Db } from '../platform/database/database.ts';
import { startTurns } from '../platform/publisher-turns.ts';
import type { Worker } from '../platform/repeat.ts';
import { type CountRows, publishersToSettle, settleRows } from './settle-rows.ts';

export interface SettlementOptions {
  db: Db;
  /** What else counts the rows that are settled. */
  countRows: CountRows;
  /** Time between two looks when nothing waits. */
  intervalMs: number;
  onSettled(rows: number): void;
  onError(error: unknown): void;
}

/** Settles rows for as long as the process runs, one set of a publisher at a time. */
export const startSettlement = ({
  db,
  countRows,
  intervalMs,
  onSettled,
  onError,
}: SettlementOptions): Worker =>
  startTurns({
    publishers: () => publishersToSettle(db),
    work: (publisherId) => settleRows(db, countRows, publisherId),
    intervalMs,
    onDone: onSettled,
    onError,
  });
