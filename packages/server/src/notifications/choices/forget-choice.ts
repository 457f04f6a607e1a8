import type { Tx } from '../../platform/database/in-transaction.ts';
import { personRecipient } from '../recipients.ts';

/** Deletes a person's notification settings when the person leaves a publisher's staff. */
export async function forgetChoice(tx: Tx, publisherId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('notification_choice')
    .where('publisher_id', '=', publisherId)
    .where('recipient', '=', personRecipient(userId))
    .execute();
}
