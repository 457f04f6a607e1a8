import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { sqlState, violatedConstraint } from '../../platform/database/database-errors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { getPayout } from './read/read-payouts.ts';
import { beginReturn, returnPayout } from './return-payout.ts';

export interface Cancellation {
  publisherId: string;
  /** As in getPayout. */
  payoutId: string;
  /** Why, in the actor's own words. */
  reason: string | null;
}

/** Another payout of the group that is being made or cancelled is waited for so long. */
const patienceMs = 2_000;
const pauseMs = 100;

/**
 * Takes a batch back before it is paid: its rows are payable again, clawbacks wait again, and the members' balances
 * are what they were. It goes in steps, and one that was left half done is gone on with. One that is still being made
 * is undone. Done twice it changes nothing.
 * @throws Refusal when there is no such batch, or it was paid, or another one of its group is being worked on
 */
export async function cancelPayout(
  db: Db,
  actor: Actor,
  { publisherId, payoutId, reason }: Cancellation,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { batchId, status, groupId, currency } = await getPayout(db, publisherId, payoutId);
    if (status === 'Cancelled') return;
    if (status === 'Cancelling') return returnPayout(db, publisherId, batchId);
    if (status === 'Paid')
      throw new Refusal(
        'Conflict',
        `The payout ${batchId} is paid and cannot be cancelled; claw rows back instead.`,
      );
    const by = { actor, action: 'payout.cancel', reason } as const;
    await beginReturn(db, { publisherId, batchId, from: status, by }).catch((error) => {
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
