import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { sqlState, violatedConstraint } from '../../platform/database/database-errors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { getPayout } from './read/read-payouts.ts';
import { beginReturn, finishReturn } from './return-payout.ts';

export interface Cancellation {
  publisherId: string;
  /** Text that should be the id of a payout, as in `getPayout`. */
  payoutId: string;
  reason: string | null;
}

/** Maximum time to wait while another payout of the group is being created or canceled. */
const maxWaitMs = 2_000;
const pauseMs = 100;

/**
 * Cancels a batch that is not paid yet: its rows become payable again, its clawbacks become pending again,
 * and the members' balances are restored. Works in steps and resumes an interrupted cancellation. A batch
 * that is still being created is undone. Canceling a canceled batch changes nothing.
 * @throws Refusal when the batch does not exist or is paid, or when another batch of its group is being
 *   created or canceled
 */
export async function cancelPayout(
  db: Db,
  actor: Actor,
  { publisherId, payoutId, reason }: Cancellation,
): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const { batchId, status, groupId, currency } = await getPayout(db, publisherId, payoutId);
    if (status === 'Cancelled') return;
    if (status === 'Cancelling') return finishReturn(db, publisherId, batchId);
    if (status === 'Paid')
      throw new Refusal(
        'Conflict',
        `Payout ${batchId} is paid and can't be canceled. Claw back its rows instead.`,
      );
    const by = { actor, action: 'payout.cancel', reason } as const;
    await beginReturn(db, { publisherId, batchId, from: status, by }).catch((error) => {
      if (violatedConstraint(error) !== 'payout_batch_unfinished' && sqlState(error) !== '55P03') throw error;
      if (performance.now() > deadline)
        throw new Refusal(
          'Conflict',
          `Payouts or bounties of group ${groupId} in ${currency} are being changed. Try again later.`,
          { cause: error },
        );
      return sleep(pauseMs);
    });
  }
}
