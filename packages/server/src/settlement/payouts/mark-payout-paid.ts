import type { Actor } from '../../audit/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { announcePayout } from './announce-payout.ts';
import { getPayout } from './read/read-payouts.ts';

export interface PaidPayout {
  publisherId: string;
  /** As in getPayout. */
  payoutId: string;
}

/**
 * Says that a batch's money has left: its rows are paid, because it is. Done twice it changes nothing.
 * @throws Refusal when there is no such batch, or it is being made, or was cancelled
 */
export async function markPayoutPaid(
  { clock }: { clock: Clock },
  db: Db,
  actor: Actor,
  { publisherId, payoutId }: PaidPayout,
): Promise<void> {
  const { batchId } = await getPayout(db, publisherId, payoutId);
  await inTransaction(db, async (tx) => {
    const { status } = await tx
      .selectFrom('payout_batch')
      .select('status')
      .where('publisher_id', '=', publisherId)
      .where('batch_id', '=', batchId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (status === 'Paid') return;
    if (status === 'Preparing') throw new Refusal('Conflict', `The payout ${batchId} is still being made.`);
    if (status !== 'Created')
      throw new Refusal('Conflict', `The payout ${batchId} was cancelled; create a new one.`);
    await tx
      .updateTable('payout_batch')
      .set({ status: 'Paid', paid_at: clock.now() })
      .where('publisher_id', '=', publisherId)
      .where('batch_id', '=', batchId)
      .execute();
    await announcePayout(tx, actor, {
      publisherId,
      batchId,
      action: 'payout.mark-paid',
      from: status,
      to: 'Paid',
      event: 'Payout/PayoutPaid',
    });
  });
}
