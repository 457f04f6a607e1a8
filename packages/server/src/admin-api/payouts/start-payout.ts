import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { serviceTimeOf } from '../../publishers/publisher-time.ts';
import { createPayout } from '../../settlement/payouts/create/create-payout.ts';
import type { PayoutRequest } from '../../settlement/payouts/create/plan-payout.ts';
import { type PayoutBatch, readBatches } from '../../settlement/payouts/read/read-payouts.ts';
import { soonEnough } from './soon-enough.ts';

export interface StartedPayout {
  /** False while steps are left, which go on by themselves. */
  isDone: boolean;
  payouts: PayoutBatch[];
}

/**
 * Makes a payout of what a preview showed. A large one goes on in steps after the answer; who asks again for the same
 * moment is shown how far it is, and starts no second one.
 * @param onLateError is told why one stopped that went on after the answer; it is undone then
 * @throws Refusal as createPayout does
 */
export async function startPayout(
  db: Db,
  actor: Actor,
  request: PayoutRequest & { asOf: Date },
  onLateError: (error: unknown) => void,
): Promise<StartedPayout> {
  const { publisherId } = request;
  const moment = await serviceTimeOf(db, publisherId, request.asOf);
  const underWay = await readUnderWay(db, request, moment);
  if (underWay.length > 0) return { isDone: false, payouts: underWay };
  try {
    const created = await soonEnough(createPayout(db, actor, request), onLateError);
    if (created === null) return { isDone: false, payouts: await readUnderWay(db, request, moment) };
    const ids = created.map(({ batchId }) => batchId);
    const payouts = await readBatches(
      db,
      publisherId,
      sql`and batch_id = any(${ids}::uuid[]) order by currency`,
    );
    return { isDone: true, payouts };
  } catch (error) {
    // Begun by somebody else meanwhile, with the same moment.
    const others = error instanceof Refusal ? await readUnderWay(db, request, moment) : [];
    if (others.length > 0) return { isDone: false, payouts: others };
    throw error;
  }
}

const readUnderWay = (
  db: Db,
  { publisherId, groupId, currency }: PayoutRequest,
  moment: Date,
): Promise<PayoutBatch[]> =>
  readBatches(
    db,
    publisherId,
    sql`and group_id = ${groupId} and status = 'Preparing' and as_of = ${moment}
        and (${currency}::text is null or currency = ${currency})
        order by currency`,
  );
