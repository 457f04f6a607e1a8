import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { WaitingWork } from '../../platform/work/look-for-work.ts';
import { startTurns } from '../../platform/work/publisher-turns.ts';
import type { RestingWorker } from '../../platform/work/repeat.ts';
import { publishersToPost, rowsPerPosting } from './post-rows.ts';

export interface PostingOptions {
  db: Db;
  postRows(db: Db, publisherId: string): Promise<number>;
  /** Time between two looks of its own, while rows were posted lately: so long they wait to be posted together. */
  intervalMs: number;
  onPosted(rows: number): void;
  onError(error: unknown): void;
}

/** Posts rows for as long as the process runs, one set of a publisher at a time. */
export const startPosting = ({
  db,
  postRows,
  intervalMs,
  onPosted,
  onError,
}: PostingOptions): RestingWorker & WaitingWork => ({
  ...startTurns({
    publishers: () => publishersToPost(db),
    work: (publisherId) => postRows(db, publisherId),
    // A set that is not full waits for more: one entry is for all that a member earned of it.
    fullTurn: rowsPerPosting,
    intervalMs,
    onDone: onPosted,
    onError,
  }),
  waits: () => sql`exists (select 1 from unposted)`,
});
