import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { WaitingWork } from '../../platform/work/poll-for-work.ts';
import { startTurns } from '../../platform/work/publisher-turns.ts';
import type { RestingWorker } from '../../platform/work/repeat.ts';
import { publishersToPost, rowsPerPosting } from './post-rows.ts';

export interface PostingOptions {
  db: Db;
  postRows(db: Db, publisherId: string): Promise<number>;
  /** Polling interval while rows are being posted. Rows wait up to this long so that they can be posted together. */
  intervalMs: number;
  onPosted(rows: number): void;
  onError(error: unknown): void;
}

/** Posts rows until the process stops, one posting of one publisher at a time. */
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
    // A partial posting waits for more rows, because a posting combines all of a member's rows into one entry.
    fullTurn: rowsPerPosting,
    intervalMs,
    onDone: onPosted,
    onError,
  }),
  waits: () => sql`exists (select 1 from unposted)`,
});
