import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { Actor } from './actor.ts';
import { type Change, recordChange } from './record-change.ts';

/**
 * Writes the audit entry for an export before the first row leaves the service. The export itself changes no
 * data.
 */
export const recordExport = (db: Db, actor: Actor, change: Change): Promise<void> =>
  inTransaction(db, (tx) => recordChange(tx, actor, change));
