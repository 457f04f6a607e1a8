import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import { storedActorId, storedActorName } from '../../../audit/record-change.ts';
import type { Db } from '../../../platform/database/database.ts';
import { violatedConstraint } from '../../../platform/database/database-errors.ts';
import { inTransaction } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';
import { formatMinorUnits } from '../../../platform/money.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { inSpan, type Trace } from '../../../platform/telemetry/tracing.ts';
import { lockForPosting } from '../../settlement-lock.ts';
import { endOfLease } from '../payout-step.ts';
import { readBatches } from '../read/read-payouts.ts';
import { returnPayout } from '../return-payout.ts';
import { PlanChanged } from './assign-members.ts';
import { readReasons } from './change-reasons.ts';
import { completePayouts } from './complete-payouts.ts';
import { type FillPlan, fillPayout, type PlannedBatch } from './fill-payout.ts';
import type { PlannedPayable } from './payable.ts';
import { explainChange } from './payout-changes.ts';
import { type PayoutPlan, type PayoutRequest, planPayout } from './plan-payout.ts';
import { PreviewOutdated } from './preview-outdated.ts';
import { type Reductions, readReductions, withUnpaid } from './reductions.ts';
import { type Fall, fallOf, hasFallen, isOutdated, leftOf, stillOwed } from './still-owed.ts';
import { takeNumbers } from './take-numbers.ts';
import { tracesOfPostings } from './trace-payout.ts';

export interface CreatedPayout {
  batchId: PayoutBatchId;
  currency: string;
  totalMinor: bigint;
  memberCount: number;
  rowCount: number;
  /** False if a payout with the same cutoff already existed. */
  isNew: boolean;
}

export interface CreatedPayouts {
  /** One payout per currency; empty when no member is due a payment. */
  payouts: CreatedPayout[];
  /** Members who are paid less than the preview showed, or nothing. */
  reductions: Reductions;
}

/** Maximum number of attempts to create a payout. Each time another payout gets in first, a new plan is needed. */
const maxAttempts = 5;

/**
 * Creates a batch for each currency where a member is due a payment. Assigns the payments to the batches and deducts
 * them from the members' balances, in short steps. An assigned payment's status can't be changed. The batches are
 * Preparing until the last step, and are undone after a crash. A concurrent refund either commits before its row is
 * assigned, which keeps the row out of the batch, or is rejected because the row is assigned. The last step writes the
 * audit log entry, so a payout that fails before then has none.
 * @param request if it has a preview's cutoff, no member is paid more than the preview showed. A member whose amount
 * fell since then is paid the rest, unless the request is exact.
 * @throws Refusal when the group doesn't exist, another of its payouts is in progress, or the amounts due at `asOf` can't
 * be paid anymore
 */
export function createPayout(db: Db, actor: Actor, request: PayoutRequest): Promise<CreatedPayouts> {
  const { publisherId, groupId } = request;
  const attributes = { 'attribution.publisher_id': publisherId, 'attribution.group_id': groupId };
  return inSpan('payout', attributes, (links) => makePayout(db, actor, request, links)).catch(
    async (error) => {
      throw error instanceof PreviewOutdated ? await explainChange(db, request, error) : error;
    },
  );
}

async function makePayout(
  db: Db,
  actor: Actor,
  request: PayoutRequest,
  links: Trace[],
): Promise<CreatedPayouts> {
  const { asOf, isExact = false } = request;
  const agreement = asOf === null ? 'none' : isExact ? 'exactly' : 'or less';
  for (let attempt = 1; ; attempt += 1) {
    const plan = await inSpan('plan', {}, () => planPayout(db, request));
    const made = await madeReductions(db, plan);
    if (agreement !== 'none') requirePayable(plan, isExact, made);
    requireConfirmedTotal(plan, request, made);
    const falls = agreement === 'or less' ? await readFalls(db, plan) : [];
    links.splice(0, links.length, ...(await tracesOfPostings(db, plan.scope)));
    const batches = await reserve(db, actor, plan);
    if (batches !== null) {
      const filling = { scope: plan.scope, batches, agreement, falls } as const;
      const isDone = await inSpan('assign', {}, () => fill(db, actor, plan, filling));
      if (isDone) return created(db, plan, filling);
    }
    if (attempt === maxAttempts)
      throw new Refusal(
        'Conflict',
        `Other payouts of group ${request.groupId}, or its members' purchases, keep changing. Nothing was paid. Try again later.`,
      );
  }
}

const madeReductions = (db: Db, { scope, made }: PayoutPlan): Promise<Reductions> =>
  readReductions(
    db,
    scope.publisherId,
    made.map(({ batchId }) => batchId),
  );

/** Rejects a plan that can't be paid as requested, before any row is assigned. */
function requirePayable(plan: PayoutPlan, isExact: boolean, made: Reductions): void {
  if (plan.payables.some((each) => isOutdated(each) || (isExact && hasFallen(each))))
    throw amountsChanged(plan);
  const [lower] = made.members;
  if (isExact && lower?.batchId)
    throw new PreviewOutdated(
      `Payout ${lower.batchId} was created from this preview, and pays ${made.count} member(s) less than it showed.`,
      { changeCause: 'payout', payoutId: lower.batchId },
    );
}

/** Rejects a payout if the preview's total isn't the total that was confirmed. What is paid may be less. */
function requireConfirmedTotal(
  { payables, made }: PayoutPlan,
  { groupId, currency, totalMinor }: PayoutRequest,
  reductions: Reductions,
): void {
  if (totalMinor === undefined || currency === null) return;
  const total = [
    ...payables.filter(({ isDue }) => isDue).map(({ amountMinor }) => amountMinor),
    ...made.map((batch) => batch.totalMinor),
    ...reductions.totals.map(({ amountMinor }) => amountMinor),
  ].reduce((sum, each) => sum + each, 0n);
  if (total !== totalMinor)
    throw new Refusal(
      'Conflict',
      `At this cutoff, the total due in group ${groupId} is ${formatMinorUnits(total, currency)} ${currency}, ` +
        `not ${formatMinorUnits(totalMinor, currency)}. Nothing was paid. Preview the payout again.`,
    );
}

const amountsChanged = (plan: Pick<PayoutPlan, 'scope' | 'payables'>): PreviewOutdated =>
  new PreviewOutdated('The amounts changed since the preview. Nothing was paid. Preview the payout again.', {
    changeCause: 'members',
    plan,
  });

/** Reads which members are paid less than the preview showed, and why. */
async function readFalls(db: Db, { scope, payables }: PayoutPlan): Promise<Fall[]> {
  const fallen = payables.filter(hasFallen);
  const found = await readReasons(db, { scope, payables: fallen, since: scope.asOf, batchIds: [] });
  return fallen.map((each) => fallOf(each, leftOf(each), found.ofMembers));
}

/**
 * Inserts the batches as Preparing, which blocks other payouts of the group in the same currencies.
 * @returns null when another payout was started or created after the plan was read
 */
async function reserve(
  db: Db,
  actor: Actor,
  { scope, payables }: PayoutPlan,
): Promise<PlannedBatch[] | null> {
  const due = payables.filter((each) => stillOwed(each) > 0n);
  const byCurrency = Map.groupBy(due, ({ currency }) => currency);
  const batches = [...byCurrency].map(([currency, members]) => ({
    batchId: newRowId<PayoutBatchId>(),
    currency,
    members,
  }));
  if (batches.length === 0) return batches;
  const currencies = [...byCurrency.keys()];
  const { publisherId, groupId, asOf, needs } = scope;
  try {
    return await inTransaction(db, async (tx) => {
      // The insertion must commit either before or after a preview's cutoff, never across it.
      await lockForPosting(tx, publisherId);
      const { rows } = await sql`
        select 1
        from payout_batch
        where publisher_id = ${publisherId} and group_id = ${groupId} and currency = any(${currencies}::text[])
          and created_at > ${asOf} and not was_undone
        limit 1`.execute(tx);
      if (rows.length > 0) return null;
      const now = await readMoment(tx);
      const firstNumber = await takeNumbers(tx, publisherId, batches.length);
      await sql`
        insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count,
                                  row_count, created_at, worked_until, created_by_kind, created_by_id, created_by_name,
                                  planned_count, number, needs_method, needs_tax_cleared)
        select ${publisherId}, batch_id, ${groupId}, currency, ${asOf}, 'Preparing', 0, 0, 0, ${now}, ${endOfLease(now)},
               ${actor.kind}, ${storedActorId(actor.id)}, ${storedActorName(actor.name)}, planned_count, number,
               ${needs.method}, ${needs.taxCleared}
        from unnest(
          ${batches.map(({ batchId }) => batchId)}::uuid[],
          ${currencies}::text[],
          ${batches.map(({ members }) => members.length)}::integer[],
          ${batches.map((_, index) => String(firstNumber + BigInt(index)))}::bigint[]
        ) as b (batch_id, currency, planned_count, number)`.execute(tx);
      return batches;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'payout_batch_unfinished') return null;
    throw error;
  }
}

/**
 * Fills and completes the batches; undoes them on failure.
 * @returns false when a member's amount changed in a way that the steps can't follow, so the payout must be planned again
 */
async function fill(db: Db, actor: Actor, plan: PayoutPlan, filling: FillPlan): Promise<boolean> {
  const { publisherId } = plan.scope;
  const batchIds = filling.batches.map(({ batchId }) => batchId);
  try {
    await fillPayout(db, filling);
    await completePayouts(db, actor, publisherId, batchIds);
    return true;
  } catch (error) {
    // If this fails, a worker or the next payout command undoes the batch.
    for (const batchId of batchIds)
      await returnPayout(db, { publisherId, batchId, from: 'Preparing', by: null }).catch(() => undefined);
    if (!(error instanceof PlanChanged)) throw error;
    if (filling.agreement === 'exactly')
      throw amountsChanged({
        scope: plan.scope,
        payables: plan.payables.map((each) => withRemaining(each, error)),
      });
    return false;
  }
}

async function created(
  db: Db,
  { scope: { publisherId }, made }: PayoutPlan,
  { batches, falls }: FillPlan,
): Promise<CreatedPayouts> {
  const ids = [...made, ...batches].map(({ batchId }) => batchId);
  const isNew = new Set(batches.map(({ batchId }) => batchId));
  const hasPayout = new Set(batches.map(({ currency }) => currency));
  const payouts = await readBatches(
    db,
    publisherId,
    sql`and batch_id = any(${ids}::uuid[]) and status <> 'Cancelled' order by currency, batch_id`,
  );
  const stored = await readReductions(db, publisherId, ids);
  return {
    payouts: payouts.map(({ batchId, currency, totalMinor, memberCount, rowCount }) => ({
      batchId,
      currency,
      totalMinor,
      memberCount,
      rowCount,
      isNew: isNew.has(batchId),
    })),
    reductions: withUnpaid(
      stored,
      falls.filter(({ payable }) => !hasPayout.has(payable.currency)),
    ),
  };
}

/** Adds the reversals found while assigning the member's rows. */
const withRemaining = (payable: PlannedPayable, { planned, amountMinor }: PlanChanged): PlannedPayable =>
  payable.membershipId === planned.membershipId && payable.currency === planned.currency
    ? { ...payable, reversedMinor: payable.amountMinor - amountMinor }
    : payable;
