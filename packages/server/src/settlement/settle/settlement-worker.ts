import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { WaitingWork } from '../../platform/work/look-for-work.ts';
import { startTurns } from '../../platform/work/publisher-turns.ts';
import type { RestingWorker } from '../../platform/work/repeat.ts';
import { publishersToSettle } from './settle-rows.ts';

export interface SettlementOptions {
  db: Db;
  settleRows(db: Db, publisherId: string): Promise<number>;
  /** Time between two looks of its own, while rows were settled lately: so long they wait to be settled together. */
  intervalMs: number;
  onSettled(rows: number): void;
  onError(error: unknown): void;
}

/** Settles rows for as long as the process runs, one set of a publisher at a time. */
export const startSettlement = ({
  db,
  settleRows,
  intervalMs,
  onSettled,
  onError,
}: SettlementOptions): RestingWorker & WaitingWork => ({
  ...startTurns({
    publishers: () => publishersToSettle(db),
    work: (publisherId) => settleRows(db, publisherId),
    intervalMs,
    onDone: onSettled,
    onError,
  }),
  waits: () => sql`exists (select from unsettled)`,
});
