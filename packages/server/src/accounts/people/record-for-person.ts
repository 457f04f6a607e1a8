import { actorOf, type Whence } from '../../audit/actor.ts';
import { type Facts, recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { listPublishersOf } from './list-publishers-of.ts';

/** Notes at each of somebody's publishers what they change of how they sign in, in the commit that changes it. */
export async function recordForPerson(
  tx: Tx,
  { userId, name }: { userId: string; name: string },
  whence: Whence,
  change: { action: string; after?: Facts },
): Promise<void> {
  for (const { publisherId } of await listPublishersOf(tx, userId))
    await recordChange(tx, actorOf({ kind: 'staff', staffId: userId, name, publisherId }, whence), {
      publisherId,
      ...change,
      target: `staff:${userId}`,
    });
}
