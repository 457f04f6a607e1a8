import type pg from 'pg';
import { NoAnswerError } from '../database-errors.ts';

/**
 * Commits that took too long and were left running, because they may be waiting for a synchronous replica. If such a
 * commit were canceled, PostgreSQL would report success and make the commit visible even though the replica doesn't
 * have it. After a failover, data that clients had already seen would be gone (docs/adr/0045-failover.md).
 */
export class LeftCommits {
  #pids = new Set<number>();

  add(pid: number): void {
    this.#pids.add(pid);
  }

  /**
   * Refuses a new connection once the number of commits left running reaches the pool's maximum size. Each of them
   * still uses a server connection, so without this limit, they could use up all connections, including those for
   * reads.
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

/** Returns whether a statement may commit, on its own or at the end of a transaction. */
export function mayCommit(text: string, isInTransaction: boolean): boolean {
  return isInTransaction ? commit.test(text) : !read.test(text);
}
