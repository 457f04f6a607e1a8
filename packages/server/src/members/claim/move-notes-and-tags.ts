import { sql } from 'kysely';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';

/**
 * Moves the publisher's notes on a claimed account, and its tags, to the account of the creator who claims it. Removed
 * notes are moved too, so that no text is left behind. Limits don't apply, because a claim must not fail.
 */
export async function moveNotesAndTags(
  tx: ProgramTx,
  publisherId: string,
  unclaimedId: AccountId,
  accountId: AccountId,
): Promise<void> {
  await tx
    .updateTable('creator_note')
    .set({ account_id: accountId })
    .where('publisher_id', '=', publisherId)
    .where('account_id', '=', unclaimedId)
    .execute();
  await sql`
    insert into creator_tagged (publisher_id, tag_id, account_id)
    select ${publisherId}, tag_id, ${accountId}
    from creator_tagged
    where publisher_id = ${publisherId} and account_id = ${unclaimedId}
    on conflict do nothing`.execute(tx);
  await tx
    .deleteFrom('creator_tagged')
    .where('publisher_id', '=', publisherId)
    .where('account_id', '=', unclaimedId)
    .execute();
}
