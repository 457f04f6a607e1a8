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
  /** Rows that are read to find those above: from the member's mark on, and those reversed since that lie before it. */
  seenCount: number;
  /** Of the rows above, the recordings not before the scope's `postedBefore`. */
  recordingIds: RecordingId[];
  /** Of the rows above, those reversed since the moment, which can no longer be paid. */
  reversedMinor: bigint;
  /** Who its memberships belonged to at the moment is not known: they were merged on, twice. */
  isUnclear: boolean;
}

/** The rewards of a group's bounties that can be paid at a moment, by the same rules. */
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

/** The clawbacks of a group that waited at a moment to lessen a payout. */
export const waitingClawbacks = ({ publisherId, groupId, asOf }: PayableScope): RawBuilder<unknown> => sql`
  c.publisher_id = ${publisherId} and c.group_id = ${groupId} and c.payout_batch_id is null
  and c.created_at <= ${asOf} and (c.payable_at is null or c.payable_at <= ${asOf})`;

/**
 * What every member of a group was to be paid at a moment, by currency and member: the one computation that preview
 * and creation share. It answers the same whenever it is asked, as long as no payout of the group was made and its
 * terms did not change since: what was posted, cancelled, clawed back or merged later does not count, and what was
 * reversed later does.
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
    -- Joined by names of its own: Citus loses the columns of a full join that is joined on under an alias.
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
 * What each membership earned in each currency, as the relation `earned`. Rows recorded since about the moment are
 * judged recording by recording: sorted together with those that were posted later, for either may be many.
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

/** Nothing, or less, is never paid. */
export const isDue = (amountMinor: bigint, minimumMinor: bigint): boolean =>
  amountMinor > 0n && amountMinor >= minimumMinor;
