import { actorOf, type Whence } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { listPublishersOf } from './list-publishers-of.ts';

/**
 * Notes at each of somebody's publishers what they changed of how they sign in. The sign-in library has its own commit,
 * so this is one of its own after it.
 */
export const recordForPerson = (
  db: Db,
  { userId, name }: { userId: string; name: string },
  whence: Whence,
  { action }: { action: string },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    for (const { publisherId } of await listPublishersOf(tx, userId))
      await recordChange(tx, actorOf({ kind: 'staff', staffId: userId, name, publisherId }, whence), {
        publisherId,
        action,
        target: `staff:${userId}`,
      });
  });
