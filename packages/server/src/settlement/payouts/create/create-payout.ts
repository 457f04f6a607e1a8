import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import { storedActorId, storedActorName } from '../../../audit/record-change.ts';
import type { Db } from '../../../platform/database/database.ts';
import { violatedConstraint } from '../../../platform/database/database-errors.ts';
import { inTransaction } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { inSpan, type Trace } from '../../../platform/telemetry/tracing.ts';
import { lockForSettling } from '../../settlement-lock.ts';
import { endOfLease } from '../payout-step.ts';
import { readBatches } from '../read/read-payouts.ts';
import { giveBack } from '../return-payout.ts';
import { completePayouts } from './complete-payouts.ts';
import { fillPayout, type PlannedBatch } from './fill-payout.ts';
import type { PlannedPayable } from './payable.ts';
import { explainChange } from './payout-changes.ts';
import { type PayoutPlan, type PayoutRequest, planPayout } from './plan-payout.ts';
import { PreviewOver } from './preview-over.ts';
import { PlanChanged } from './stamp-members.ts';
import { tracesOfPostings } from './trace-payout.ts';

export interface CreatedPayout {
  batchId: PayoutBatchId;
  currency: string;
  totalMinor: bigint;
  memberCount: number;
  rowCount: number;
  /** False when the same moment was paid before: then nothing was done. */
  isNew: boolean;
}

/** A payout that other payouts came before is planned anew. */
const attempts = 5;

/**
 * Makes a batch for each currency that has a member due: stamps the payments, from when a status change is refused,
 * and takes the amounts off the members' balances. It does so in steps of a moment each, and until the last of them
 * the batches are Preparing: a crash leaves them to be undone. A refund at the same time either comes before its row
 * is stamped, and the row is not in the batch, or finds the stamp. The last step says in the audit log who made them;
 * what comes not so far leaves no entry.
 * @param request with a preview's moment, what it showed is paid, to the cent, or nothing is
 * @returns one batch a currency; none when nobody is due
 * @throws Refusal when there is no such group, another payout of it goes on, or what was due at `asOf` changed
 */
export function createPayout(db: Db, actor: Actor, request: PayoutRequest): Promise<CreatedPayout[]> {
  const { publisherId, groupId } = request;
  const attributes = { 'attribution.publisher_id': publisherId, 'attribution.group_id': groupId };
  return inSpan('payout', attributes, (links) => makePayout(db, actor, request, links)).catch(
    async (error) => {
      throw error instanceof PreviewOver ? await explainChange(db, request, error) : error;
    },
  );
}

async function makePayout(
  db: Db,
  actor: Actor,
  request: PayoutRequest,
  links: Trace[],
): Promise<CreatedPayout[]> {
  const mustAgree = request.asOf !== null;
  for (let attempt = 1; ; attempt += 1) {
    const plan = await inSpan('plan', {}, () => planPayout(db, request));
    if (mustAgree) requireAsPlanned(plan);
    links.splice(0, links.length, ...(await tracesOfPostings(db, plan.scope)));
    const batches = await reserve(db, actor, plan);
    if (batches !== null) {
      const filling = { plan, batches, mustAgree };
      const isDone = await inSpan('stamp', {}, () => fill(db, actor, filling));
      if (isDone) return createdPayouts(db, plan, batches);
    }
    if (attempt === attempts)
      throw new Refusal(
        'Conflict',
        `Other payouts of group ${request.groupId}, or its members' purchases, change all the time; nothing was paid.`,
      );
  }
}

/** What cannot be paid as it was previewed is refused before anything is stamped. */
function requireAsPlanned(plan: PayoutPlan): void {
  if (plan.payables.some(({ isDue, reversedMinor, isUnclear }) => isDue && (reversedMinor > 0n || isUnclear)))
    throw changed(plan);
}

const changed = (plan: Pick<PayoutPlan, 'scope' | 'payables'>): PreviewOver =>
  new PreviewOver('What the preview showed changed since; nothing was paid, preview again.', {
    changeCause: 'members',
    plan,
  });

/**
 * Makes the batches, Preparing, so that no other payout of the group in their currencies begins.
 * @returns null when one began or was made meanwhile
 */
async function reserve(
  db: Db,
  actor: Actor,
  { scope, payables }: PayoutPlan,
): Promise<PlannedBatch[] | null> {
  const due = payables.filter(({ isDue }) => isDue);
  const byCurrency = Map.groupBy(due, ({ currency }) => currency);
  const batches = [...byCurrency].map(([currency, members]) => ({
    batchId: newRowId<PayoutBatchId>(),
    currency,
    members,
  }));
  if (batches.length === 0) return batches;
  const currencies = [...byCurrency.keys()];
  const { publisherId, groupId, asOf } = scope;
  try {
    return await inTransaction(db, async (tx) => {
      await lockForSettling(tx, publisherId); // of after a preview's moment, or of before it
      const { rows } = await sql`
        select 1
        from payout_batch
        where publisher_id = ${publisherId} and group_id = ${groupId} and currency = any(${currencies}::text[])
          and created_at > ${asOf} and not was_undone
        limit 1`.execute(tx);
      if (rows.length > 0) return null;
      const now = await readMoment(tx);
      await sql`
        insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count,
                                  row_count, created_at, worked_until, created_by_kind, created_by_id, created_by_name,
                                  planned_count)
        select ${publisherId}, batch_id, ${groupId}, currency, ${asOf}, 'Preparing', 0, 0, 0, ${now}, ${endOfLease(now)},
               ${actor.kind}, ${storedActorId(actor.id)}, ${storedActorName(actor.name)}, planned_count
        from unnest(
          ${batches.map(({ batchId }) => batchId)}::uuid[],
          ${currencies}::text[],
          ${batches.map(({ members }) => members.length)}::integer[]
        ) as b (batch_id, currency, planned_count)`.execute(tx);
      return batches;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'payout_batch_unfinished') return null;
    throw error;
  }
}

/** @returns false when it was undone, because too little was left of a member's planned amount, and can be begun anew */
async function fill(
  db: Db,
  actor: Actor,
  { plan, batches, mustAgree }: { plan: PayoutPlan; batches: readonly PlannedBatch[]; mustAgree: boolean },
): Promise<boolean> {
  const { scope } = plan;
  const { publisherId } = scope;
  try {
    await fillPayout(db, scope, batches, mustAgree);
    await completePayouts(
      db,
      actor,
      publisherId,
      batches.map(({ batchId }) => batchId),
    );
    return true;
  } catch (error) {
    // When this cannot be done now, the next payout command or a worker does it.
    for (const { batchId } of batches)
      await giveBack(db, { publisherId, batchId, from: 'Preparing', by: null }).catch(() => undefined);
    if (!(error instanceof PlanChanged)) throw error;
    if (mustAgree) throw changed({ scope, payables: plan.payables.map((each) => asFound(each, error)) });
    return false;
  }
}

async function createdPayouts(
  db: Db,
  { scope, made }: PayoutPlan,
  batches: readonly PlannedBatch[],
): Promise<CreatedPayout[]> {
  const ids = [...made, ...batches].map(({ batchId }) => batchId);
  const isNew = new Set(batches.map(({ batchId }) => batchId));
  const created = await readBatches(
    db,
    scope.publisherId,
    sql`and batch_id = any(${ids}::uuid[]) and status <> 'Cancelled' order by currency, batch_id`,
  );
  return created.map(({ batchId, currency, totalMinor, memberCount, rowCount }) => ({
    batchId,
    currency,
    totalMinor,
    memberCount,
    rowCount,
    isNew: isNew.has(batchId),
  }));
}

/** A payable of a plan, with what was found to be left of it while it was stamped. */
const asFound = (payable: PlannedPayable, { planned, amountMinor }: PlanChanged): PlannedPayable =>
  payable.membershipId === planned.membershipId && payable.currency === planned.currency
    ? { ...payable, reversedMinor: payable.amountMinor - amountMinor }
    : payable;
