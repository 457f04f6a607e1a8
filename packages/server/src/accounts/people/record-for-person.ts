import { actorOf, type RequestSource } from '../../audit/actor.ts';
import { type Facts, recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { listPublishersOf } from './list-publishers-of.ts';

/** Records a change to a person's sign-in methods in the audit log of each of their publishers, in the same commit. */
export async function recordForPerson(
  tx: Tx,
  { userId, name }: { userId: string; name: string },
  source: RequestSource,
  change: { action: string; after?: Facts },
): Promise<void> {
  for (const { publisherId } of await listPublishersOf(tx, userId))
    await recordChange(tx, actorOf({ kind: 'staff', staffId: userId, name, publisherId }, source), {
      publisherId,
      ...change,
      target: `staff:${userId}`,
    });
}
