import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { Actor } from './actor.ts';
import { type Change, recordChanges } from './record-change.ts';

/**
 * Writes the audit entry for an export, or one for each exported object, before the first row leaves the
 * service. The export itself changes no data.
 */
export const recordExport = (db: Db, actor: Actor, ...changes: Change[]): Promise<void> =>
  inTransaction(db, (tx) => recordChanges(tx, actor, changes));
