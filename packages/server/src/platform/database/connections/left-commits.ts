import type pg from 'pg';
import { NoAnswerError } from '../database-errors.ts';

/**
 * Commits that took too long and were left running, because they may be waiting for a synchronous replica. If such a commit is
 * canceled, PostgreSQL reports success and makes it visible although the replica lacks it; after a failover, data that clients
 * have already seen would be gone (docs/adr/0045-failover.md).
 */
export class LeftCommits {
  #pids = new Set<number>();

  add(pid: number): void {
    this.#pids.add(pid);
  }

  /**
   * Refuses a new connection while as many commits are left running as the pool may have connections. Each of them still uses
   * a connection of the server, which would otherwise have none left even for reads.
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

/** Returns true when a statement may commit, on its own or at the end of a transaction. */
export function mayCommit(text: string, isInTransaction: boolean): boolean {
  return isInTransaction ? commit.test(text) : !read.test(text);
}
