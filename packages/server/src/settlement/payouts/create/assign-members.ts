import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';
import { laterBy, readAheadMs } from '../../../publishers/publisher-time.ts';
import { gatesOfMembers } from '../../gates/gates.ts';
import { holdsOfMembers } from '../../holds/held.ts';
import { posting } from '../../ledger.ts';
import { referenceOf } from '../payout-reference.ts';
import { type AssignStep, assignRows, Sums, wantedBatches } from './assign-rows.ts';
import { type ChangeReason, keyOf, type Reasons, readReasons } from './change-reasons.ts';
import { lacksMethod, methodOfLine } from './method-of-line.ts';
import { type CountAndSum, isDue, type PlannedPayable, payableRewards, waitingClawbacks } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';
import { saveReductions } from './reductions.ts';
import { fallOf, stillOwed } from './still-owed.ts';
import { waitingReturns } from './waiting-returns.ts';

interface Item {
  payable: PlannedPayable;
  payments: CountAndSum;
  rewards: CountAndSum;
  adjustmentsMinor: bigint;
  amountMinor: bigint;
}

/** Error for a member whose amount differs from the plan because of a later reversal or hold. */
export class PlanChanged extends Error {
  readonly planned: PlannedPayable;
  readonly amountMinor: bigint;

  constructor(planned: PlannedPayable, amountMinor: bigint) {
    super('the amount due to a member differs from the payout plan');
    this.planned = planned;
    this.amountMinor = amountMinor;
  }
}

/** Amount left for a member who isn't paid, with the reasons that the step itself found. */
export interface Left {
  minor: bigint;
  reasons: readonly ChangeReason[];
}

/** Error for members whose remaining amount is too low to pay. The step must be repeated without them. */
export class NoLongerDue extends Error {
  readonly left: ReadonlyMap<PlannedPayable, Left>;

  constructor(left: ReadonlyMap<PlannedPayable, Left>) {
    super('members of a payout are no longer due a payment');
    this.left = left;
  }
}

/**
 * Rule for amounts that differ from the preview. `exactly`: no payout is created. `or less`: a member whose amount fell
 * is paid what is left. `none`: there was no preview.
 */
export type Agreement = 'exactly' | 'or less' | 'none';

export interface MembersStep extends AssignStep {
  /**
   * Sums of the purchases that earlier steps assigned for a member with many purchases; null if this step assigns them
   * all.
   */
  assigned: Sums | null;
  agreement: Agreement;
  /** Reasons that the plan found for lower amounts, by member and currency. */
  reasons: Reasons;
  /** Members who turned out to be owed too little to be paid. */
  unpaid: ReadonlyMap<PlannedPayable, Left>;
}

/**
 * Assigns everything owed to the given members to the batches, inserts payout items and ledger entries, and updates the
 * balances and the batches' totals, all in one commit. The caller must have locked the memberships first and then the
 * batches.
 * @throws PlanChanged when the agreement doesn't allow a member's amount, or when purchases that earlier steps assigned
 * can't be paid; NoLongerDue when any other member can't be paid
 */
export async function assignMembers(tx: Tx, step: MembersStep): Promise<void> {
  await leaveOutHeld(tx, step);
  const payments = step.assigned ?? (await assignRows(tx, step, { from: null, until: null }));
  const { rewards, clawbacks } = await assignRewardsAndAdjustments(tx, step);
  const items: Item[] = [];
  const notDue = new Map<PlannedPayable, Left>();
  for (const payable of step.payables) {
    const item = itemOf(payable, { payments, rewards, clawbacks });
    const isPaid = isDue(item.amountMinor, payable.minimumMinor);
    // Rows assigned by earlier steps must be released, so the payout starts over.
    if (!isAllowed(step.agreement, item) || (!isPaid && step.assigned !== null))
      throw new PlanChanged(payable, item.amountMinor);
    if (isPaid) items.push(item);
    else notDue.set(payable, { minor: item.amountMinor, reasons: [] });
  }
  if (notDue.size > 0) throw new NoLongerDue(notDue);
  await saveItems(tx, step, items);
  if (step.agreement === 'or less') await saveFalls(tx, step, items);
}

/** A member is never paid more than the preview showed. */
const isAllowed = (agreement: Agreement, { amountMinor, payable }: Item): boolean =>
  agreement === 'none' ||
  amountMinor === payable.amountMinor ||
  (agreement === 'or less' && amountMinor < payable.amountMinor);

/** Stores which members are paid less than the preview showed, and why. The plan contains most of the reasons. */
async function saveFalls(
  tx: Tx,
  { scope, batchIds, reasons, unpaid }: MembersStep,
  items: readonly Item[],
): Promise<void> {
  const fallen: [PlannedPayable, Left][] = [
    ...items
      .filter(({ payable, amountMinor }) => amountMinor < payable.amountMinor)
      .map(({ payable, amountMinor }): [PlannedPayable, Left] => [
        payable,
        { minor: amountMinor, reasons: [] },
      ]),
    ...unpaid,
  ];
  const sincePlan = await readReasons(tx, {
    scope,
    payables: fallen
      .filter(([payable, left]) => left.minor !== stillOwed(payable))
      .map(([payable]) => payable),
    since: scope.seenUpTo,
    batchIds: [...batchIds.values()],
  });
  const found: Reasons = new Map(
    fallen.map(([payable, left]) => {
      const key = keyOf(payable);
      return [key, [...(reasons.get(key) ?? []), ...(sincePlan.ofMembers.get(key) ?? []), ...left.reasons]];
    }),
  );
  await saveReductions(
    tx,
    scope.publisherId,
    batchIds,
    fallen.map(([payable, left]) => fallOf(payable, left.minor, found)),
  );
}

/**
 * Leaves out the members who, since the plan was made, were put on hold or under review, or lost their tax clearance or
 * a payout method that payouts need. All of these changes take the same locks as this step.
 * @throws PlanChanged, NoLongerDue
 */
async function leaveOutHeld(tx: Tx, { scope, payables, agreement, assigned }: MembersStep): Promise<void> {
  const { rows } = await sql<{ membership_id: MembershipId; is_gated: boolean }>`
    select membership_id, bool_or(is_gated) as is_gated
    from (
      select membership_id, false as is_gated
      from (${holdsOfMembers(scope, scope.groupId)}) held
      where is_held_since
      union all
      select membership_id, true
      from (${gatesOfMembers(scope, scope.groupId)}) gated
      where is_review_since or (${scope.needs.taxCleared} and is_uncleared_since)
    ) kept
    group by membership_id`.execute(tx);
  const held = new Set(rows.map(({ membership_id }) => membership_id));
  const gated = new Set(rows.filter(({ is_gated }) => is_gated).map(({ membership_id }) => membership_id));
  const methodless = await findMethodless(tx, scope, payables);
  const left = payables.filter((each) => held.has(each.membershipId) || methodless.has(each));
  const [first] = left;
  if (first === undefined) return;
  if (agreement === 'exactly' || assigned !== null) throw new PlanChanged(first, 0n);
  const isGated = (each: PlannedPayable): boolean => gated.has(each.membershipId) || methodless.has(each);
  // The reasons for holds are read together with those for refunds.
  throw new NoLongerDue(
    new Map(left.map((each) => [each, { minor: 0n, reasons: isGated(each) ? ['gate'] : [] }])),
  );
}

/** Finds the members whose line would have no payout method, although payouts need one. */
async function findMethodless(
  tx: Tx,
  scope: PayoutScope,
  payables: readonly PlannedPayable[],
): Promise<ReadonlySet<PlannedPayable>> {
  if (!scope.needs.method) return new Set();
  const columns = { accountId: 'm.account_id', currency: 'wanted.currency' };
  const { rows } = await sql<{ place: bigint }>`
    select wanted.place
    from unnest(
      ${payables.map(({ membershipId }) => membershipId)}::uuid[],
      ${payables.map(({ currency }) => currency)}::text[]
    ) with ordinality as wanted (membership_id, currency, place)
    join membership m on m.publisher_id = ${scope.publisherId} and m.membership_id = wanted.membership_id
    where ${lacksMethod(scope, await readClock(tx, scope.publisherId), columns)}`.execute(tx);
  return new Set(rows.flatMap(({ place }) => payables[Number(place) - 1] ?? []));
}

const readClock = async (tx: Tx, publisherId: string): Promise<Date> =>
  laterBy(await readMoment(tx), await readAheadMs(tx, publisherId));

function itemOf(payable: PlannedPayable, sums: { payments: Sums; rewards: Sums; clawbacks: Sums }): Item {
  const ofMember = (each: Sums): CountAndSum =>
    payable.membershipIds
      .map((id) => each.of(id, payable.currency))
      .reduce((one, other) => ({
        count: one.count + other.count,
        amountMinor: one.amountMinor + other.amountMinor,
      }));
  const payments = ofMember(sums.payments);
  const rewards = ofMember(sums.rewards);
  const adjustmentsMinor = -ofMember(sums.clawbacks).amountMinor;
  const amountMinor = payments.amountMinor + rewards.amountMinor + adjustmentsMinor;
  return { payable, payments, rewards, adjustmentsMinor, amountMinor };
}

/** Assigns the members' rewards and the clawbacks to deduct from their payments. */
async function assignRewardsAndAdjustments(
  tx: Tx,
  step: MembersStep,
): Promise<{ rewards: Sums; clawbacks: Sums }> {
  const { scope, payables } = step;
  const membershipIds = payables.flatMap((each) => each.membershipIds);
  const currencies = [...new Set(payables.map(({ currency }) => currency))];
  const wanted = sql`${wantedBatches(step)}::jsonb`;
  const { rows } = await sql<{
    is_reward: boolean;
    membership_id: MembershipId;
    currency: string;
    n: bigint;
    amount: string;
  }>`
    with rewarded as (
      update reward_payment w
      set payout_batch_id = (${wanted} -> w.membership_id::text ->> w.currency)::uuid
      where ${payableRewards(scope)} and w.currency = any(${currencies}::text[])
        and w.membership_id = any(${membershipIds}::uuid[])
        and ${wanted} -> w.membership_id::text ? w.currency
      returning w.membership_id, w.currency, w.amount_minor
    ),
    clawed as (
      update clawback c
      set payout_batch_id = (${wanted} -> c.membership_id::text ->> c.currency)::uuid
      where ${waitingClawbacks(scope)} and c.currency = any(${currencies}::text[])
        and c.membership_id = any(${membershipIds}::uuid[])
        and ${wanted} -> c.membership_id::text ? c.currency
      returning c.membership_id, c.currency, c.amount_minor
    ),
    added as (
      update payout_return r
      set payout_batch_id = (${wanted} -> r.membership_id::text ->> r.currency)::uuid
      where ${waitingReturns(scope)} and r.currency = any(${currencies}::text[])
        and r.membership_id = any(${membershipIds}::uuid[])
        and ${wanted} -> r.membership_id::text ? r.currency
      returning r.membership_id, r.currency, r.amount_minor
    ),
    reinstated as (
      update reinstatement_adjustment r
      set payout_batch_id = (${wanted} -> r.membership_id::text ->> r.currency)::uuid
      where ${waitingReturns(scope)} and r.currency = any(${currencies}::text[])
        and r.membership_id = any(${membershipIds}::uuid[])
        and ${wanted} -> r.membership_id::text ? r.currency
      returning r.membership_id, r.currency, r.amount_minor
    )
    select is_reward, membership_id, currency, count(*) as n, sum(amount_minor)::text as amount
    from (
      select true as is_reward, membership_id, currency, amount_minor::numeric from rewarded
      union all
      select false, membership_id, currency, amount_minor from clawed
      union all
      select false, membership_id, currency, -amount_minor from added
      union all
      select false, membership_id, currency, -amount_minor from reinstated
    ) assigned
    group by is_reward, membership_id, currency`.execute(tx);
  const sums = { rewards: new Sums(), clawbacks: new Sums() };
  for (const { is_reward, membership_id, currency, n, amount } of rows)
    sums[is_reward ? 'rewards' : 'clawbacks'].add(membership_id, currency, {
      count: Number(n),
      amountMinor: BigInt(amount),
    });
  return sums;
}

/**
 * Inserts the items and ledger entries. A member may get an item even if all the earnings belong to memberships that
 * were merged into the member's own. The step holds the batches' locks, so no other step assigns the same references.
 */
async function saveItems(
  tx: Tx,
  { scope: { publisherId }, batchIds }: MembersStep,
  items: readonly Item[],
): Promise<void> {
  const madeAt = await readMoment(tx);
  const clockAt = laterBy(madeAt, await readAheadMs(tx, publisherId));
  await sql`
    with item as (
      insert into payout_item (publisher_id, item_id, batch_id, membership_id, row_count, payments_minor, reward_count,
                               rewards_minor, adjustments_minor, amount_minor, reference, method_id, made_at)
      select ${publisherId}, i.item_id, i.batch_id, i.membership_id, i.row_count, i.payments, i.reward_count,
             i.rewards, i.adjustments, i.payments + i.rewards + i.adjustments,
             ${referenceOf(sql`b.number`, sql`b.member_count + row_number() over (partition by i.batch_id order by i.membership_id)`)},
             ${methodOfLine(publisherId, clockAt, { accountId: 'm.account_id', currency: 'b.currency' })},
             ${madeAt}::timestamptz
      from unnest(
        ${items.map(() => newRowId())}::uuid[],
        ${items.map(({ payable }) => batchIds.get(payable.currency))}::uuid[],
        ${items.map(({ payable }) => payable.membershipId)}::uuid[],
        ${items.map(({ payments }) => String(payments.count))}::bigint[],
        ${items.map(({ payments }) => String(payments.amountMinor))}::numeric[],
        ${items.map(({ rewards }) => String(rewards.count))}::bigint[],
        ${items.map(({ rewards }) => String(rewards.amountMinor))}::numeric[],
        ${items.map(({ adjustmentsMinor }) => String(adjustmentsMinor))}::numeric[]
      ) as i (item_id, batch_id, membership_id, row_count, payments, reward_count, rewards, adjustments)
      join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
      join membership m on m.publisher_id = ${publisherId} and m.membership_id = i.membership_id
      returning item_id, batch_id, membership_id, amount_minor
    ),
    entry as (
      select i.item_id as subject_id, 'payout' as kind, i.membership_id, b.currency, -i.amount_minor as amount_minor
      from item i
      join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
    ),
    ${posting(publisherId, 'entry')}
    select 1`.execute(tx);
  await addToTotals(tx, publisherId, batchIds, items);
}

/**
 * Adds the items to their batches' totals, using the only function with the right to change them
 * (docs/adr/0051-rights-by-column.md). The statement doesn't name a table, because on Citus the function routes its own
 * update.
 */
async function addToTotals(
  tx: Tx,
  publisherId: string,
  batchIds: MembersStep['batchIds'],
  items: readonly Item[],
): Promise<void> {
  const byBatch = [...Map.groupBy(items, ({ payable }) => batchIds.get(payable.currency))];
  const sums = byBatch.map(([, batchItems]) => ({
    amountMinor: batchItems.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    members: batchItems.length,
    rows: batchItems.reduce((sum, { payments }) => sum + payments.count, 0),
  }));
  const { rows } = await sql<{ added: number }>`
    select add_to_payouts(
      ${publisherId},
      ${byBatch.map(([batchId]) => batchId)}::uuid[],
      ${sums.map(({ amountMinor }) => String(amountMinor))}::numeric[],
      ${sums.map(({ members }) => members)}::integer[],
      ${sums.map(({ rows }) => String(rows))}::bigint[]
    ) as added`.execute(tx);
  if (rows[0]?.added !== byBatch.length)
    throw new Error("a payout's totals were not updated by a step that paid members");
}
