import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId, PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';
import { posting } from '../../ledger.ts';
import {
  isDue,
  type PayoutScope,
  type PlannedPayable,
  payablePayments,
  payableRewards,
  waitingClawbacks,
} from './payable.ts';

/** Rows and their sum. */
export interface Stamped {
  rowCount: number;
  amountMinor: bigint;
}

/** What a member gets of a payout. */
interface Item {
  membershipId: MembershipId;
  rowCount: number;
  paymentsMinor: bigint;
  rewardCount: number;
  rewardsMinor: bigint;
  adjustmentsMinor: bigint;
  amountMinor: bigint;
}

/** A member whose amount is not what was planned: something was reversed since. */
export class PlanChanged extends Error {
  readonly planned: PlannedPayable;
  readonly amountMinor: bigint;

  constructor(planned: PlannedPayable, amountMinor: bigint) {
    super('a member of a payout is owed another amount than was planned');
    this.planned = planned;
    this.amountMinor = amountMinor;
  }
}

/** Some members of one currency, as one step pays them. */
export interface MembersStep {
  scope: PayoutScope;
  batchId: PayoutBatchId;
  members: readonly PlannedPayable[];
  /** By membership, what was stamped of the purchases of members with many; theirs are not looked at. */
  stamped: ReadonlyMap<MembershipId, Stamped>;
  /** Whether each is paid what was planned, or what is left of it. */
  mustAgree: boolean;
}

/** The same, in its currency. */
interface CurrencyStep extends MembersStep {
  currency: string;
}

/**
 * Stamps all that some members are paid in one currency, and gives each its item, its ledger entry and its balance,
 * in one commit with the batch's totals. The caller has locked their memberships, and then the batch.
 * @throws PlanChanged when a member cannot be paid as planned and `mustAgree`
 */
export async function stampMembers(tx: Tx, its: MembersStep): Promise<void> {
  const { members, stamped, mustAgree } = its;
  const [first] = members;
  if (first === undefined) return;
  const step: CurrencyStep = { ...its, currency: first.currency };
  const left = await readLeft(tx, step);
  const items: Item[] = [];
  const paid: PlannedPayable[] = [];
  for (const member of members) {
    const item = itemOf(member, left, stamped.get(member.membershipId));
    if (mustAgree && item.amountMinor !== member.amountMinor) throw new PlanChanged(member, item.amountMinor);
    if (!isDue(item.amountMinor, member.minimumMinor)) {
      // What was stamped in steps before cannot stay: the payout is begun anew.
      if (stamped.has(member.membershipId)) throw new PlanChanged(member, item.amountMinor);
      continue;
    }
    items.push(item);
    paid.push(member);
  }
  if (items.length === 0) return;
  await stampRows(tx, { ...step, members: paid }, items);
  await saveItems(tx, step, items);
}

type Left = ReadonlyMap<string, { count: number; amountMinor: bigint }>;
const kinds = ['payment', 'reward', 'clawback'] as const;

/** What can still be paid, by kind and membership. */
async function readLeft(tx: Tx, { scope, currency, members, stamped }: CurrencyStep): Promise<Left> {
  const all = members.flatMap(({ membershipIds }) => membershipIds);
  const { rows } = await sql<{
    kind: (typeof kinds)[number];
    membership_id: MembershipId;
    n: bigint;
    amount: string;
  }>`
    select 'payment' as kind, p.membership_id, count(*) as n, sum(p.share_minor)::text as amount
    from payment p
    where ${payablePayments(scope)} and p.currency = ${currency} and p.membership_id = any(${fewRows(members, stamped)}::uuid[])
    group by p.membership_id
    union all
    select 'reward', w.membership_id, count(*), sum(w.amount_minor)::text
    from reward_payment w
    where ${payableRewards(scope)} and w.currency = ${currency} and w.membership_id = any(${all}::uuid[])
    group by w.membership_id
    union all
    select 'clawback', c.membership_id, count(*), sum(c.amount_minor)::text
    from clawback c
    where ${waitingClawbacks(scope)} and c.currency = ${currency} and c.membership_id = any(${all}::uuid[])
    group by c.membership_id`.execute(tx);
  return new Map(
    rows.map(({ kind, membership_id, n, amount }) => [
      `${kind} ${membership_id}`,
      { count: Number(n), amountMinor: BigInt(amount) },
    ]),
  );
}

/** Of members whose purchases are stamped in this step, not in those before. */
const fewRows = (
  members: readonly PlannedPayable[],
  stamped: ReadonlyMap<MembershipId, Stamped>,
): MembershipId[] =>
  members.flatMap(({ membershipId, membershipIds }) => (stamped.has(membershipId) ? [] : membershipIds));

function itemOf(
  { membershipId, membershipIds }: PlannedPayable,
  left: Left,
  before: Stamped | undefined,
): Item {
  const sum = (kind: (typeof kinds)[number]): { count: number; amountMinor: bigint } => {
    let count = 0;
    let amountMinor = 0n;
    for (const id of membershipIds) {
      const its = left.get(`${kind} ${id}`);
      count += its?.count ?? 0;
      amountMinor += its?.amountMinor ?? 0n;
    }
    return { count, amountMinor };
  };
  const payments = sum('payment');
  const rewards = sum('reward');
  const paymentsMinor = payments.amountMinor + (before?.amountMinor ?? 0n);
  const adjustmentsMinor = -sum('clawback').amountMinor;
  return {
    membershipId,
    rowCount: payments.count + (before?.rowCount ?? 0),
    paymentsMinor,
    rewardCount: rewards.count,
    rewardsMinor: rewards.amountMinor,
    adjustmentsMinor,
    amountMinor: paymentsMinor + rewards.amountMinor + adjustmentsMinor,
  };
}

async function stampRows(
  tx: Tx,
  { scope, batchId, currency, members, stamped }: CurrencyStep,
  items: readonly Item[],
): Promise<void> {
  const all = members.flatMap(({ membershipIds }) => membershipIds);
  const { rows } = await sql<{ payments: bigint; rewards: bigint }>`
    with payments as (
      update payment p
      set payout_batch_id = ${batchId}::uuid
      where ${payablePayments(scope)} and p.currency = ${currency} and p.membership_id = any(${fewRows(members, stamped)}::uuid[])
      returning p.attribution_id
    ),
    rewards as (
      update reward_payment w
      set payout_batch_id = ${batchId}::uuid
      where ${payableRewards(scope)} and w.currency = ${currency} and w.membership_id = any(${all}::uuid[])
      returning w.progress_reward_id
    ),
    clawbacks as (
      update clawback c
      set payout_batch_id = ${batchId}::uuid
      where ${waitingClawbacks(scope)} and c.currency = ${currency} and c.membership_id = any(${all}::uuid[])
    )
    select (select count(*) from payments) as payments, (select count(*) from rewards) as rewards`.execute(
    tx,
  );
  const before = members.reduce(
    (sum, { membershipId }) => sum + (stamped.get(membershipId)?.rowCount ?? 0),
    0,
  );
  const rowCount = items.reduce((sum, item) => sum + item.rowCount, 0) - before;
  const rewardCount = items.reduce((sum, item) => sum + item.rewardCount, 0);
  if (Number(rows[0]?.payments) !== rowCount || Number(rows[0]?.rewards) !== rewardCount)
    throw new Error('a payout stamped other rows than it counted');
}

/** A member may have earned none of it under its own membership. */
async function saveItems(
  tx: Tx,
  { scope: { publisherId }, batchId, currency }: CurrencyStep,
  items: readonly Item[],
): Promise<void> {
  await sql`
    with item as (
      insert into payout_item (publisher_id, item_id, batch_id, membership_id, row_count, payments_minor, reward_count,
                               rewards_minor, adjustments_minor, amount_minor)
      select ${publisherId}, i.item_id, ${batchId}::uuid, i.membership_id, i.row_count, i.payments, i.reward_count,
             i.rewards, i.adjustments, i.payments + i.rewards + i.adjustments
      from unnest(
        ${items.map(() => newRowId())}::uuid[],
        ${items.map(({ membershipId }) => membershipId)}::uuid[],
        ${items.map(({ rowCount }) => String(rowCount))}::bigint[],
        ${items.map(({ paymentsMinor }) => String(paymentsMinor))}::numeric[],
        ${items.map(({ rewardCount }) => String(rewardCount))}::bigint[],
        ${items.map(({ rewardsMinor }) => String(rewardsMinor))}::numeric[],
        ${items.map(({ adjustmentsMinor }) => String(adjustmentsMinor))}::numeric[]
      ) as i (item_id, membership_id, row_count, payments, reward_count, rewards, adjustments)
      returning item_id, membership_id, row_count, amount_minor
    ),
    entry as (
      select item_id as subject_id, 'payout' as kind, membership_id, ${currency}::text as currency, -amount_minor as amount_minor
      from item
    ),
    ${posting(publisherId, 'entry')}
    update payout_batch b
    set total_minor = b.total_minor + added.amount,
        member_count = b.member_count + added.members,
        row_count = b.row_count + added.row_count
    from (select count(*) as members, sum(row_count) as row_count, sum(amount_minor) as amount from item) added
    where b.publisher_id = ${publisherId} and b.batch_id = ${batchId}::uuid`.execute(tx);
}

/** Some of the purchases of one membership. */
export interface RowsStep {
  scope: PayoutScope;
  batchId: PayoutBatchId;
  currency: string;
  membershipId: MembershipId;
  /** The date of the last row stamped before; null at first. */
  after: Date | null;
  limit: number;
}

/**
 * Stamps some of the purchases of one membership, for a member that has more than one step may take.
 * @returns what was stamped, and the date to go on from; null when nothing is left
 */
export async function stampPart(
  tx: Tx,
  { scope, batchId, currency, membershipId, after, limit }: RowsStep,
): Promise<Stamped & { upTo: Date | null }> {
  const { rows } = await sql<{ n: bigint; amount: string; up_to: Date | null }>`
    with part as (
      update payment p
      set payout_batch_id = ${batchId}::uuid
      where p.publisher_id = ${scope.publisherId} and p.attribution_id = any(array(
        select p.attribution_id
        from payment p
        where ${payablePayments(scope)} and p.currency = ${currency} and p.membership_id = ${membershipId}::uuid
          and (${after}::timestamptz is null or p.transaction_date >= ${after})
        order by p.transaction_date
        limit ${limit}
      ))
      returning p.share_minor, p.transaction_date
    )
    select count(*) as n, coalesce(sum(share_minor), 0)::text as amount, max(transaction_date) as up_to
    from part`.execute(tx);
  const rowCount = Number(rows[0]?.n ?? 0);
  return {
    rowCount,
    amountMinor: BigInt(rows[0]?.amount ?? 0),
    upTo: rowCount < limit ? null : (rows[0]?.up_to ?? null),
  };
}
