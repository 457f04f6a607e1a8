import type pg from 'pg';
import { NoAnswerError } from '../database-errors.ts';

/**
 * Commits that were not answered in time, and go on: they may wait for a synchronous replica. PostgreSQL answers one
 * that is cancelled then as if it were done, and shows it to everybody, though the replica lacks it: what somebody was
 * told of it would be gone after a fail-over (docs/adr/0045-failover.md).
 */
export class LeftCommits {
  #pids = new Set<number>();

  add(pid: number): void {
    this.#pids.add(pid);
  }

  /**
   * Each of them keeps its connection of the server's. While there are as many as the pool may have connections, it
   * opens no further one: else the server had none left, for what only reads either.
   * @throws NoAnswerError
   */
  async refuseTooMany(client: pg.ClientBase, max: number): Promise<void> {
    if (this.#pids.size < max) return;
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = any($1::integer[]) and wait_event = 'SyncRep'`,
      [[...this.#pids]],
    );
    this.#pids = new Set(rows.map(({ pid }) => pid));
    if (this.#pids.size >= max) throw new NoAnswerError();
  }
}

const commit = /^\s*(commit|end)\b/i;
const read = /^\s*select\b/i;

/** Returns true when a statement may commit: by itself, or with others in a transaction. */
export function mayCommit(text: string, isInTransaction: boolean): boolean {
  return isInTransaction ? commit.test(text) : !read.test(text);
}
