import { actorOf, type RequestSource } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { publishersOf } from '../members/read/publishers-of.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readOwnAccounts } from './own-accounts.ts';

/** Writes an audit entry about a person's sign-in for each of their accounts, at each of its publishers. */
export async function recordForPerson(
  tx: Tx,
  userId: string,
  source: RequestSource,
  entry: {
    action: string;
    after?: Readonly<Record<string, unknown>>;
    before?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  for (const { accountId, name } of await readOwnAccounts(tx, userId))
    for (const publisherId of await publishersOf(tx, [accountId]))
      await recordChange(tx, actorOf({ kind: 'creator', accountId, name }, source), {
        ...entry,
        publisherId,
        target: `member:${accountId}`,
      });
}
