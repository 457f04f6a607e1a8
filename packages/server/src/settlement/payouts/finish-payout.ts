import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import { sqlState, violatedConstraint } from '../../platform/database/database-errors.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { announcePayout } from './announce-payout.ts';
import { getPayout } from './read-payouts.ts';
import { beginReturn, returnPayout } from './return-payout.ts';

/**
 * Says that a batch's money has left: its rows are paid, because it is. Done twice it changes nothing.
 * @param named as in getPayout
 * @throws Refusal when there is no such batch, or it is being made, or was cancelled
 */
export async function markPayoutPaid(db: Db, publisherId: string, named: string, now: Date): Promise<void> {
  const { batchId } = await getPayout(db, publisherId, named);
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
      .set({ status: 'Paid', paid_at: now })
      .where('publisher_id', '=', publisherId)
      .where('batch_id', '=', batchId)
      .execute();
    await announcePayout(tx, publisherId, batchId, 'Payout/PayoutPaid');
  });
}

/** Another payout of the group that is being made or cancelled is waited for so long. */
const patienceMs = 2_000;
const pauseMs = 100;

/**
 * Takes a batch back before it is paid: its rows are payable again, clawbacks wait again, and the members' balances
 * are what they were. It goes in steps, and one that was left half done is gone on with. One that is still being made
 * is undone. Done twice it changes nothing.
 * @param named as in getPayout
 * @throws Refusal when there is no such batch, or it was paid, or another one of its group is being worked on
 */
export async function cancelPayout(db: Db, publisherId: string, named: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { batchId, status, groupId, currency } = await getPayout(db, publisherId, named);
    if (status === 'Cancelled') return;
    if (status === 'Cancelling') return returnPayout(db, publisherId, batchId);
    if (status === 'Paid')
      throw new Refusal(
        'Conflict',
        `The payout ${batchId} is paid and cannot be cancelled; claw rows back instead.`,
      );
    const reason = status === 'Preparing' ? 'undone' : 'cancelled';
    await beginReturn(db, publisherId, batchId, reason).catch((error) => {
      if (violatedConstraint(error) !== 'payout_batch_unfinished' && sqlState(error) !== '55P03') throw error;
      if (performance.now() > deadline)
        throw new Refusal(
          'Conflict',
          `Payouts or bounties of group ${groupId} in ${currency} are being changed at this moment; try again later.`,
          { cause: error },
        );
      return sleep(pauseMs);
    });
  }
}
