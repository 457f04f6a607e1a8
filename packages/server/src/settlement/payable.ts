import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

/** What a member of a group is to be paid in one currency, for all memberships merged into its own as well. */
export interface Payable {
  /** The member's own: where the others were merged into. */
  membershipId: string;
  /** The member's account id. */
  memberId: string;
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

/** The payments of a group that can be paid at a moment: settled by then, out of the hold period, not reversed. */
export const payablePayments = (publisherId: string, groupId: string, asOf: Date): RawBuilder<unknown> => sql`
  p.publisher_id = ${publisherId} and p.group_id = ${groupId}
  and p.payout_batch_id is null and p.reversed_at is null and p.settled_at is not null
  and p.settled_at <= ${asOf}
  and p.transaction_date <= ${asOf}::timestamptz - make_interval(hours => 24 * (
    select g.hold_days from creator_group g where g.publisher_id = ${publisherId} and g.group_id = ${groupId}))`;

/** The rewards of a group's bounties that can be paid at a moment, by the same rules. */
export const payableRewards = (publisherId: string, groupId: string, asOf: Date): RawBuilder<unknown> => sql`
  w.publisher_id = ${publisherId} and w.group_id = ${groupId} and w.payout_batch_id is null
  and w.settled_at <= ${asOf}
  and w.earned_at <= ${asOf}::timestamptz - make_interval(hours => 24 * (
    select g.hold_days from creator_group g where g.publisher_id = ${publisherId} and g.group_id = ${groupId}))`;

/** The clawbacks of a group that wait to lessen a payout. */
export const waitingClawbacks = (
  publisherId: string,
  groupId: string,
  asOf: Date,
): RawBuilder<unknown> => sql`
  c.publisher_id = ${publisherId} and c.group_id = ${groupId} and c.payout_batch_id is null and c.created_at <= ${asOf}`;

/**
 * What every member of a group would be paid at a moment, by currency and member. The one computation that
 * preview and creation share.
 */
export async function readPayable(
  db: Db | Tx,
  publisherId: string,
  groupId: string,
  currency: string | null,
  asOf: Date,
): Promise<Payable[]> {
  const { rows } = await sql<{
    membership_id: string;
    account_id: string;
    name: string;
    player_id: string | null;
    currency: string;
    row_count: bigint;
    payments: string;
    reward_count: bigint;
    rewards: string;
    adjustments: string;
    minimum: string;
  }>`
    with earned as (
      select p.membership_id, p.currency, count(*) as row_count, sum(p.share_minor) as amount
      from payment p
      where ${payablePayments(publisherId, groupId, asOf)} and (${currency}::text is null or p.currency = ${currency})
      group by p.membership_id, p.currency
    ),
    rewarded as (
      select w.membership_id, w.currency, count(*) as reward_count, sum(w.amount_minor) as amount
      from reward_payment w
      where ${payableRewards(publisherId, groupId, asOf)} and (${currency}::text is null or w.currency = ${currency})
      group by w.membership_id, w.currency
    ),
    clawed as (
      select c.membership_id, c.currency, sum(c.amount_minor) as amount
      from clawback c
      where ${waitingClawbacks(publisherId, groupId, asOf)} and (${currency}::text is null or c.currency = ${currency})
      group by c.membership_id, c.currency
    ),
    owed as (
      select coalesce(r.merged_into, r.membership_id) as membership_id, currency,
             coalesce(sum(e.row_count), 0) as row_count,
             coalesce(sum(e.amount), 0) as payments,
             coalesce(sum(w.reward_count), 0) as reward_count,
             coalesce(sum(w.amount), 0) as rewards,
             -coalesce(sum(c.amount), 0) as adjustments
      from earned e
      full join rewarded w using (membership_id, currency)
      full join clawed c using (membership_id, currency)
      join membership r
        on r.publisher_id = ${publisherId} and r.membership_id = coalesce(e.membership_id, w.membership_id, c.membership_id)
      group by 1, 2
    )
    select m.membership_id, m.account_id, a.name, m.player_id, currency, o.row_count::bigint as row_count,
           o.payments::text as payments, o.reward_count::bigint as reward_count, o.rewards::text as rewards, o.adjustments::text as adjustments,
           coalesce(g.payout_minimums ->> currency, '0') as minimum
    from owed o
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = o.membership_id
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = ${groupId}
    order by currency, m.membership_id`.execute(db);
  return rows.map((row) => {
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
      isDue: amountMinor > 0n && amountMinor >= minimumMinor,
    };
  });
}
