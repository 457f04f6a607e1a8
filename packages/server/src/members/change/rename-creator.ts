import { actorOf, type RequestSource } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { publishersOf } from '../read/publishers-of.ts';

interface Renaming {
  /** Accounts of the creator who chose the name. */
  accountIds: readonly AccountId[];
  name: string;
  source: RequestSource;
}

/** Changes the name of a creator's accounts at all of their publishers, and records it at each. */
export async function renameCreator(tx: ProgramTx, { accountIds, name, source }: Renaming): Promise<void> {
  // In a fixed order, so that two requests can't deadlock.
  for (const accountId of [...accountIds].sort()) {
    const account = await tx
      .selectFrom('creator_account')
      .select('name')
      .where('account_id', '=', accountId)
      .where('closed_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (account === undefined || account.name === name) continue;
    await tx.updateTable('creator_account').set({ name }).where('account_id', '=', accountId).execute();
    const actor = actorOf({ kind: 'creator', accountId, name }, source);
    for (const publisherId of await publishersOf(tx, [accountId])) {
      programChanged(tx, publisherId);
      await recordChange(tx, actor, {
        publisherId,
        action: 'portal.rename',
        target: `member:${accountId}`,
        before: { name: account.name },
        after: { name },
      });
    }
  }
}
