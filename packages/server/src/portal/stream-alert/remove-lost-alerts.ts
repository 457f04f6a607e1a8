import type { Tx } from '../../platform/database/in-transaction.ts';
import { readOwnAccounts, readPublishersOf } from '../own-accounts.ts';

/** Deletes a person's stream alerts at publishers where none of the person's accounts is a member anymore. @returns their number */
export async function removeLostAlerts(tx: Tx, userId: string): Promise<number> {
  const accounts = await readOwnAccounts(tx, userId);
  const publishers = await readPublishersOf(
    tx,
    accounts.map(({ accountId }) => accountId),
  );
  const kept = [...publishers.values()].flat().map(({ publisherId }) => publisherId);
  const { numDeletedRows } = await tx
    .deleteFrom('stream_alert')
    .where('user_id', '=', userId)
    .$if(kept.length > 0, (alerts) => alerts.where('publisher_id', 'not in', kept))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
