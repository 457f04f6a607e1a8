import { type RawBuilder, sql } from 'kysely';
import { recordingOf } from '../../../attributions/posted.ts';
import { standingAt } from '../../../members/standing.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId, RecordingId } from '../../../platform/database/tables.generated.ts';
import type { PayableScope, PayoutScope } from './payout-scope.ts';
import {
  isFree,
  isOpen,
  lateRecordings,
  marksOf,
  reversedBeforeMarks,
  rowsFromMarks,
} from './unpaid-rows.ts';

/**
 * Amounts to pay a member of a group in one currency, including amounts from memberships merged into the
 * member's own membership.
 */
export interface Payable {
  /** Member's own membership, into which any other memberships were merged. */
  membershipId: MembershipId;
  memberId: AccountId;
  name: string;
  playerId: string | null;
  currency: string;
  rowCount: number;
  paymentsMinor: bigint;
  rewardCount: number;
  rewardsMinor: bigint;
  /** Sum of clawbacks from earlier payouts; zero or negative. */
  adjustmentsMinor: bigint;
  /** Sum of the earnings, rewards and adjustments; paid if the sum reaches the minimum. */
  amountMinor: bigint;
  /** Group's payout minimum for the currency; 0 if there is none. */
  minimumMinor: bigint;
  /** True if this payout pays the member; false if the amount waits for a later payout. */
  isDue: boolean;
}

export interface PlannedPayable extends Payable {
  /** Memberships of the member at the cutoff: the member's own membership and any merged into it. */
  membershipIds: MembershipId[];
  /**
   * Number of rows read to find the payable rows: rows at or after the member's mark, and earlier rows that
   * were reversed after the cutoff.
   */
  seenCount: number;
  /** Recordings that contain payable rows, starting with the scope's `postedBefore`. */
  recordingIds: RecordingId[];
  /** Amount for payable rows that have been reversed since the cutoff and can no longer be paid. */
  reversedMinor: bigint;
  /**
   * True if it is unknown which member the memberships belonged to at the cutoff, because the memberships
   * have since been merged again.
   */
  isUnclear: boolean;
}

/** Returns a condition for the rewards from a group's bounties that are payable at a cutoff. */
export const payableRewards = ({
  publisherId,
  groupId,
  asOf,
  heldAfter,
}: PayableScope): RawBuilder<unknown> =>
  sql`
  w.publisher_id = ${publisherId} and w.group_id = ${groupId} and w.payout_batch_id is null
  and w.settled_at <= ${asOf} and (w.payable_at is null or w.payable_at <= ${asOf})
  and w.earned_at <= ${heldAfter}`;

/**
 * Returns a condition for a group's clawbacks that, at a cutoff, were waiting to be deducted from a payout.
 */
export const waitingClawbacks = ({ publisherId, groupId, asOf }: PayableScope): RawBuilder<unknown> => sql`
  c.publisher_id = ${publisherId} and c.group_id = ${groupId} and c.payout_batch_id is null
  and c.created_at <= ${asOf} and (c.payable_at is null or c.payable_at <= ${asOf})`;

/**
 * Calculates the amounts due to every member of a group at a cutoff, by currency and member. Preview and
 * creation share this computation. The result for a cutoff stays the same until a payout of the group is
 * created or the group's terms change: later postings, cancellations, clawbacks and merges are ignored, and
 * rows reversed later still count.
 */
export async function readPayable(
  tx: Tx,
  scope: PayoutScope,
  currency: string | null,
): Promise<PlannedPayable[]> {
  const { publisherId, groupId, asOf } = scope;
  const inCurrency = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
    currency === null ? sql`true` : sql`${column} = ${currency}`;
  const { rows } = await sql<PayableRow>`
    with ${earned(scope, inCurrency)},
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
    -- Columns are joined by unqualified names, because Citus loses the columns of a full join that a further join
    -- refers to under an alias.
    summed as (
      select membership_id, currency, e.row_count, e.amount, e.reversed, e.seen_count, e.recording_ids,
             w.reward_count, w.amount as reward_amount, c.amount as clawed_amount
      from earned e
      full join rewarded w using (membership_id, currency)
      full join clawed c using (membership_id, currency)
    ),
    owed as (
      select ${standingAt('recorded', asOf)} as membership_id,
             currency,
             array_agg(recorded.membership_id) as membership_ids,
             coalesce(bool_or(recorded.pointed_on_at > ${asOf} and (recorded.merged_at is null or recorded.merged_at <= ${asOf})), false) as is_unclear,
             coalesce(sum(s.row_count), 0) as row_count,
             coalesce(sum(s.amount), 0) as payments,
             coalesce(sum(s.reversed), 0) as reversed,
             coalesce(sum(s.seen_count), 0) as seen_count,
             jsonb_agg(s.recording_ids) as recording_ids,
             coalesce(sum(s.reward_count), 0) as reward_count,
             coalesce(sum(s.reward_amount), 0) as rewards,
             -coalesce(sum(s.clawed_amount), 0) as adjustments
      from summed s
      join membership recorded on recorded.publisher_id = ${publisherId} and recorded.membership_id = s.membership_id
      group by 1, 2
    )
    select m.membership_id, m.account_id, a.name, m.player_id, currency, o.membership_ids, o.is_unclear,
           o.row_count::bigint as row_count, o.payments::text as payments, o.reversed::text as reversed,
           o.seen_count::bigint as seen_count, o.recording_ids,
           o.reward_count::bigint as reward_count, o.rewards::text as rewards, o.adjustments::text as adjustments,
           coalesce(g.payout_minimums ->> currency, '0') as minimum
    from owed o
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = o.membership_id
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = ${groupId}
    order by currency, m.membership_id`.execute(tx);
  return rows.map(toPayable);
}

/**
 * Returns the earnings of each membership in each currency, as the relation `earned`. Rows recorded around
 * the cutoff or later are checked one recording at a time. Their recordings are sorted together with the late
 * recordings, because either set may be large.
 */
const earned = (
  scope: PayoutScope,
  inCurrency: (column: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  marked as materialized (${marksOf(scope, { members: sql`true`, currencies: inCurrency(sql`b.currency`) })}),
  seen as materialized (
    select membership_id, currency, recording_id,
           count(*) as seen_count,
           count(*) filter (where is_payable) as row_count,
           coalesce(sum(share_minor) filter (where is_payable), 0) as amount,
           coalesce(sum(share_minor) filter (where is_payable and is_reversed), 0) as reversed
    from (
      select membership_id, currency, share_minor, reversed_at is not null as is_reversed,
             ${isOpen(scope)} and ${isFree(scope)} as is_payable,
             case
               when attribution_id >= ${scope.postedBefore}::uuid and ${isOpen(scope)} and ${isFree(scope)}
                 then ${recordingOf('p.attribution_id')}
             end as recording_id
      from (
        select marked.membership_id, a.attribution_id, a.currency, a.share_minor, p.payout_batch_id, p.reversed_at,
               p.payable_at
        from ${rowsFromMarks(scope)}
        union all
        select p.membership_id, p.attribution_id, p.currency, p.share_minor, p.payout_batch_id, p.reversed_at,
               p.payable_at
        from ${reversedBeforeMarks(scope, inCurrency(sql`p.currency`))}
      ) p
    ) each_row
    group by 1, 2, 3
  ),
  judged as (
    select membership_id, currency, recording_id, seen_count, row_count, amount, reversed,
           bool_or(is_late) over (partition by recording_id) as is_late
    from (
      select *, false as is_late from seen where recording_id is not null
      union all
      select null, null, recording_id, 0, 0, 0, 0, true
      from (${lateRecordings(scope, scope.asOf)}) late
      where exists (select 1 from seen where recording_id is not null)
    ) young
  ),
  earned as (
    select membership_id, currency, sum(seen_count) as seen_count, sum(row_count) as row_count, sum(amount) as amount,
           sum(reversed) as reversed,
           array_agg(distinct recording_id) filter (where recording_id is not null) as recording_ids
    from (
      select membership_id, currency, recording_id, seen_count, row_count, amount, reversed
      from seen
      where recording_id is null
      union all
      select membership_id, currency, recording_id, seen_count, row_count, amount, reversed
      from judged
      where not is_late
    ) posted
    group by 1, 2
    having sum(row_count) > 0
  )`;

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
  seen_count: bigint;
  recording_ids: (RecordingId[] | null)[];
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
    seenCount: Number(row.seen_count),
    recordingIds: row.recording_ids.flatMap((each) => each ?? []),
    reversedMinor: BigInt(row.reversed),
    isUnclear: row.is_unclear,
  };
}

export const isDue = (amountMinor: bigint, minimumMinor: bigint): boolean =>
  amountMinor > 0n && amountMinor >= minimumMinor;
