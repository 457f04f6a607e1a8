import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import type { Db } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { waitBriefly } from '../../../platform/work/wait-briefly.ts';
import { serviceTimeOf } from '../../../publishers/publisher-time.ts';
import { type PayoutBatch, readBatches } from '../read/read-payouts.ts';
import { createPayout } from './create-payout.ts';
import type { PayoutRequest } from './plan-payout.ts';
import { type Reductions, readReductions } from './reductions.ts';

export interface StartedPayout {
  /** False while steps remain to run in the background. */
  isDone: boolean;
  payouts: PayoutBatch[];
  /** Members who are paid less than the preview showed; those so far while steps remain. */
  reductions: Reductions;
}

/**
 * Creates a previewed payout. A large payout continues in steps after the response. Calling this again with the same
 * cutoff returns the payout's progress instead of starting a second one.
 * @param onLateError called if creation fails after the response, which cancels the payout
 * @throws Refusal for the same reasons as `createPayout`
 */
export async function startPayout(
  db: Db,
  actor: Actor,
  request: PayoutRequest & { asOf: Date },
  onLateError: (error: unknown) => void,
): Promise<StartedPayout> {
  const { publisherId } = request;
  const cutoff = await serviceTimeOf(db, publisherId, request.asOf);
  const underWay = await readUnderWay(db, request, cutoff);
  if (underWay.length > 0) return inProgress(db, publisherId, underWay);
  try {
    const created = await waitBriefly(createPayout(db, actor, request), onLateError);
    if (created === null) return inProgress(db, publisherId, await readUnderWay(db, request, cutoff));
    const ids = created.payouts.map(({ batchId }) => batchId);
    const payouts = await readBatches(
      db,
      publisherId,
      sql`and batch_id = any(${ids}::uuid[]) order by currency`,
    );
    return { isDone: true, payouts, reductions: created.reductions };
  } catch (error) {
    // Another caller may have just started the same payout.
    const others = error instanceof Refusal ? await readUnderWay(db, request, cutoff) : [];
    if (others.length > 0) return inProgress(db, publisherId, others);
    throw error;
  }
}

async function inProgress(db: Db, publisherId: string, payouts: PayoutBatch[]): Promise<StartedPayout> {
  const ids = payouts.map(({ batchId }) => batchId);
  return { isDone: false, payouts, reductions: await readReductions(db, publisherId, ids) };
}

const readUnderWay = (
  db: Db,
  { publisherId, groupId, currency }: PayoutRequest,
  cutoff: Date,
): Promise<PayoutBatch[]> =>
  readBatches(
    db,
    publisherId,
    sql`and group_id = ${groupId} and status = 'Preparing' and as_of = ${cutoff}
        and (${currency}::text is null or currency = ${currency})
        order by currency`,
  );
