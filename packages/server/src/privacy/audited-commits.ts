import type { Actor } from '../audit/actor.ts';
import { type Change, recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { type CountedCommit, inTransaction } from '../platform/database/in-transaction.ts';

/**
 * Returns a function that runs each part of an erasure in its own commit. The first commit that changes something also
 * adds the audit entry, so every run that changed something has one, even if it was killed.
 */
export function auditedCommits(db: Db, actor: Actor, change: Change): CountedCommit {
  let isAudited = false;
  return async (work) => {
    const changed = await inTransaction(db, async (tx) => {
      const count = await work(tx);
      if (count > 0 && !isAudited) await recordChange(tx, actor, change);
      return count;
    });
    isAudited ||= changed > 0;
    return changed;
  };
}
