import type { Actor } from '../audit/actor.ts';
import { type Change, recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { type CountedCommit, inTransaction, type Tx } from '../platform/database/in-transaction.ts';

export interface AuditedCommits {
  /** Runs a part of the erasure in its own commit, and returns the number of rows that it changed. */
  commit: CountedCommit;
  /** Adds the audit entry in a commit of the caller's that changed something, unless an earlier commit of this run did. */
  audit(tx: Tx): Promise<void>;
}

/**
 * Returns the functions that an erasure changes a publisher's rows with. The first commit that changes something also adds
 * the audit entry, so every run that changed something has one, even if it was killed.
 */
export function auditedCommits(db: Db, actor: Actor, change: Change): AuditedCommits {
  let isAudited = false;
  const audit = async (tx: Tx): Promise<void> => {
    if (!isAudited) await recordChange(tx, actor, change);
  };
  const commit: CountedCommit = async (work) => {
    const changed = await inTransaction(db, async (tx) => {
      const count = await work(tx);
      if (count > 0) await audit(tx);
      return count;
    });
    isAudited ||= changed > 0;
    return changed;
  };
  return { commit, audit };
}
