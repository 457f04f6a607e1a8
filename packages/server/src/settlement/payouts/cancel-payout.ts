import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { sqlState, violatedConstraint } from '../../platform/database/database-errors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { getPayout } from './read/read-payouts.ts';
import { hasResults } from './results/result.ts';
import { beginReturn, finishReturn } from './return-payout.ts';

export interface Cancellation {
  publisherId: string;
  /** Payout id as entered; see `getPayout`. */
  payoutId: string;
  reason: string | null;
}

/** Maximum wait for another of the group's payouts to be created or canceled. */
const maxWaitMs = 2_000;
const pauseMs = 100;

/**
 * Cancels a batch that hasn't been paid: its rows become payable again, its clawbacks become pending again, and the
 * members' balances are restored. Works in steps, and resumes a cancellation that was interrupted. A batch that is
 * still being created is undone. Canceling a batch again has no effect.
 * @throws Refusal when the batch doesn't exist or has been paid, or when another of the group's batches is being
 * created or canceled
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
        `Payout ${batchId} is paid and can't be canceled. Claw back its purchases instead.`,
      );
    const { rows: results } = await sql`
      select 1 where ${hasResults(publisherId, batchId)}`.execute(db);
    if (results.length > 0)
      throw new Refusal(
        'Conflict',
        `Payout ${batchId} can't be canceled, because some of its lines already have a result and would be paid again. ` +
          "Set the lines that didn't go through to Failed, and mark the payout as paid.",
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
