import type { Actor } from '../audit/actor.ts';
import { type Change, recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { type CountedCommit, inTransaction, type Tx } from '../platform/database/in-transaction.ts';

/** Audit entry that a run adds once, in its first commit that changes something. */
export interface SingleEntry {
  add(tx: Tx): Promise<void>;
  /** Called after the commit that added it. */
  isCommitted(): void;
}

export function singleEntry(actor: Actor, change: Change): SingleEntry {
  let isAudited = false;
  return {
    async add(tx) {
      if (!isAudited) await recordChange(tx, actor, change);
    },
    isCommitted() {
      isAudited = true;
    },
  };
}

/**
 * Returns a function that runs each part of an erasure in its own commit. The first commit that changes something also
 * adds the audit entries, so every run that changed something has them, even if it was killed.
 */
export const auditedCommits =
  (db: Db, entries: readonly SingleEntry[]): CountedCommit =>
  async (work) => {
    const changed = await inTransaction(db, async (tx) => {
      const count = await work(tx);
      if (count > 0) for (const entry of entries) await entry.add(tx);
      return count;
    });
    if (changed > 0) for (const entry of entries) entry.isCommitted();
    return changed;
  };
