import { type RawBuilder, sql } from 'kysely';
import { standingAt } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../../../platform/database/tables.generated.ts';
import { rowIdFloor } from '../../../platform/ids.ts';

/** What a member of a group is to be paid in one currency, for all memberships merged into its own as well. */
export interface Payable {
  /** The member's own: where the others were merged into. */
  membershipId: MembershipId;
  /** The member's account id. */
  memberId: AccountId;
  name: string;
  playerId: string | null;
  currency: string;
  /** Rows that would be paid. */
  rowCount: number;
  paymentsMinor: bigint;
  /** Rewards of bounties that would be paid. */
  rewardCount: number;
  rewardsMinor: bigint;
  /** Clawbacks of earlier payouts, ≤ 0. */
  adjustmentsMinor: bigint;
  /** All of them together; what is paid when it reaches the minimum. */
  amountMinor: bigint;
  /** The group's payout minimum for the currency; 0 when there is none. */
  minimumMinor: bigint;
  /** Whether the member is paid now, or waits for the next payout. */
  isDue: boolean;
}

/** A payable, with what making a payout of it needs. */
export interface PlannedPayable extends Payable {
  /** All memberships that the member was at the moment: its own and those merged into it. */
  membershipIds: MembershipId[];
  /** Of the rows above, those reversed since the moment, which can no longer be paid. */
  reversedMinor: bigint;
  /** Who its memberships belonged to at the moment is not known: they were merged on, twice. */
  isUnclear: boolean;
}

/** What of a group is paid by a payout: all that was so at one moment. */
export interface PayoutScope {
  publisherId: string;
  groupId: string;
  asOf: Date;
  /** Purchases up to this are out of the hold period. */
  heldAfter: Date;
}

const settledIn = ({ publisherId, groupId, asOf, heldAfter }: PayoutScope): RawBuilder<unknown> => sql`
  p.publisher_id = ${publisherId} and p.group_id = ${groupId}
  and p.payout_batch_id is null and p.settled_at is not null
  and p.settled_at <= ${asOf} and (p.payable_at is null or p.payable_at <= ${asOf})
  and p.transaction_date <= ${heldAfter}`;

/** The payments of a group that could be paid at a moment, and still can: settled, out of the hold period, not reversed. */
export const payablePayments = (scope: PayoutScope): RawBuilder<unknown> =>
  sql`${settledIn(scope)} and p.reversed_at is null`;

/** The rewards of a group's bounties that can be paid at a moment, by the same rules. */
export const payableRewards = ({ publisherId, groupId, asOf, heldAfter }: PayoutScope): RawBuilder<unknown> =>
  sql`
  w.publisher_id = ${publisherId} and w.group_id = ${groupId} and w.payout_batch_id is null
  and w.settled_at <= ${asOf} and (w.payable_at is null or w.payable_at <= ${asOf})
  and w.earned_at <= ${heldAfter}`;

/** The clawbacks of a group that waited at a moment to lessen a payout. */
export const waitingClawbacks = ({ publisherId, groupId, asOf }: PayoutScope): RawBuilder<unknown> => sql`
  c.publisher_id = ${publisherId} and c.group_id = ${groupId} and c.payout_batch_id is null
  and c.created_at <= ${asOf} and (c.payable_at is null or c.payable_at <= ${asOf})`;

/**
 * What every member of a group was to be paid at a moment, by currency and member: the one computation that preview
 * and creation share. It answers the same whenever it is asked, as long as no payout of the group was made and its
 * terms did not change since: what was settled, cancelled, clawed back or merged later does not count, and what was
 * reversed later does.
 */
export async function readPayable(
  db: Db | Tx,
  scope: PayoutScope,
  currency: string | null,
): Promise<PlannedPayable[]> {
  const { publisherId, groupId, asOf } = scope;
  const inCurrency = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
    currency === null ? sql`true` : sql`${column} = ${currency}`;
  const { rows } = await sql<PayableRow>`
    with earned as (
      select membership_id, currency, count(*) as row_count, sum(amount) as amount,
             coalesce(sum(amount) filter (where is_reversed), 0) as reversed
      from (
        select p.membership_id, p.currency, p.share_minor as amount, false as is_reversed
        from payment p
        where ${payablePayments(scope)} and ${inCurrency(sql`p.currency`)}
        union all
        select p.membership_id, p.currency, p.share_minor, true
        from refund_record r
        join payment p on p.publisher_id = ${publisherId} and p.attribution_id = r.attribution_id
        where r.publisher_id = ${publisherId} and r.refund_id >= ${rowIdFloor(asOf)}::uuid and r.reverses_money
          and ${settledIn(scope)} and p.reversed_at > ${asOf} and ${inCurrency(sql`p.currency`)}
      ) each_row
      group by membership_id, currency
    ),
    rewarded as (
      select w.membership_id, w.currency, count(*) as reward_count, sum(w.amount_minor) as amount
      from reward_payment w
      where ${payableRewards(scope)} and ${inCurrency(sql`w.currency`)}
      group by w.membership_id, w.currency
    ),
    clawed as (
      select c.membership_id, c.currency, sum(c.amount_minor) as amount
      from clawback c
      where ${waitingClawbacks(scope)} and ${inCurrency(sql`c.currency`)}
      group by c.membership_id, c.currency
    ),
    owed as (
      select ${standingAt('recorded', asOf)} as membership_id,
             currency,
             array_agg(recorded.membership_id) as membership_ids,
             coalesce(bool_or(recorded.pointed_on_at > ${asOf} and (recorded.merged_at is null or recorded.merged_at <= ${asOf})), false) as is_unclear,
             coalesce(sum(e.row_count), 0) as row_count,
             coalesce(sum(e.amount), 0) as payments,
             coalesce(sum(e.reversed), 0) as reversed,
             coalesce(sum(w.reward_count), 0) as reward_count,
             coalesce(sum(w.amount), 0) as rewards,
             -coalesce(sum(c.amount), 0) as adjustments
      from earned e
      full join rewarded w using (membership_id, currency)
      full join clawed c using (membership_id, currency)
      join membership recorded
        on recorded.publisher_id = ${publisherId} and recorded.membership_id = coalesce(e.membership_id, w.membership_id, c.membership_id)
      group by 1, 2
    )
    select m.membership_id, m.account_id, a.name, m.player_id, currency, o.membership_ids, o.is_unclear,
           o.row_count::bigint as row_count, o.payments::text as payments, o.reversed::text as reversed,
           o.reward_count::bigint as reward_count, o.rewards::text as rewards, o.adjustments::text as adjustments,
           coalesce(g.payout_minimums ->> currency, '0') as minimum
    from owed o
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = o.membership_id
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = ${groupId}
    order by currency, m.membership_id`.execute(db);
  return rows.map(toPayable);
}

interface PayableRow {
  membership_id: MembershipId;
  account_id: AccountId;
  name: string;
  player_id: string | null;
  currency: string;
  membership_ids: MembershipId[];
  is_unclear: boolean;
  row_count: bigint;
  payments: string;
  reversed: string;
  reward_count: bigint;
  rewards: string;
  adjustments: string;
  minimum: string;
}

function toPayable(row: PayableRow): PlannedPayable {
  const paymentsMinor = BigInt(row.payments);
  const adjustmentsMinor = BigInt(row.adjustments);
  const rewardsMinor = BigInt(row.rewards);
  const amountMinor = paymentsMinor + rewardsMinor + adjustmentsMinor;
  const minimumMinor = BigInt(row.minimum);
  return {
    membershipId: row.membership_id,
    memberId: row.account_id,
    name: row.name,
    playerId: row.player_id,
    currency: row.currency,
    rowCount: Number(row.row_count),
    paymentsMinor,
    rewardCount: Number(row.reward_count),
    rewardsMinor,
    adjustmentsMinor,
    amountMinor,
    minimumMinor,
    isDue: isDue(amountMinor, minimumMinor),
    membershipIds: row.membership_ids,
    reversedMinor: BigInt(row.reversed),
    isUnclear: row.is_unclear,
  };
}

/** Nothing, or less, is never paid. */
export const isDue = (amountMinor: bigint, minimumMinor: bigint): boolean =>
  amountMinor > 0n && amountMinor >= minimumMinor;
