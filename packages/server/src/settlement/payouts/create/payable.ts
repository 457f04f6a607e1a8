import { type RawBuilder, sql } from 'kysely';
import { recordingOf } from '../../../attributions/posted.ts';
import { standingAt } from '../../../members/standing.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type {
  AccountId,
  GateId,
  HoldId,
  MembershipId,
  RecordingId,
} from '../../../platform/database/tables.generated.ts';
import { gatesOfMembers } from '../../gates/gates.ts';
import { holdOfRow, holdsOfMembers, isRowHeldSince, isRowReleasedSince } from '../../holds/held.ts';
import { type Block, blocksOf, type CreatorBlock, creatorBlocksOf } from './blocks.ts';
import { lacksMethod, methodUsableFrom } from './method-of-line.ts';
import { isMember, isWanted, type PayableFilter } from './payable-filter.ts';
import { nowOnClock, type PayableScope, type PayoutScope } from './payout-scope.ts';
import { apartFromMarks, daysOfMarks, restOfDays, sumsOfDays } from './sums-of-days.ts';
import {
  isFree,
  isNotReinstatedSince,
  isOpen,
  lateRecordings,
  marksOf,
  reversedBeforeMarks,
  rowsFromMarks,
  takenAtCutoff,
} from './unpaid-rows.ts';
import { waitingReturns } from './waiting-returns.ts';

/**
 * Amounts payable to a group's member in one currency, including those from memberships merged into the member's own.
 */
export interface Payable {
  /** Member's own membership, which any others were merged into. */
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
  /** Sum of earnings, rewards and adjustments; paid if it reaches the minimum. */
  amountMinor: bigint;
  /** Group's payout minimum for the currency; 0 if there is none. */
  minimumMinor: bigint;
  /** Everything that keeps the amount out of the payout. */
  blocks: Block[];
  /** True if this payout pays the member; false if the amount is left for a later payout. */
  isDue: boolean;
}

export interface CountAndSum {
  count: number;
  amountMinor: bigint;
}

export interface PlannedPayable extends Payable {
  /** Member's memberships at the cutoff: the member's own and any merged into it. */
  membershipIds: MembershipId[];
  /**
   * Number of rows read to find the payable ones: those from the member's mark onward, plus earlier rows that were
   * reversed after the cutoff.
   */
  seenCount: number;
  /** Recordings with payable rows, starting at the scope's `postedBefore`. */
  recordingIds: RecordingId[];
  /** Amount of payable rows that has been taken back since the cutoff and can no longer be paid. */
  reversedMinor: bigint;
  /** True if later merges make it impossible to tell which member the memberships belonged to at the cutoff. */
  isUnclear: boolean;
  /** Rows that the payout would pay if they weren't on hold. The amounts above don't include them. */
  held: CountAndSum;
  /** Holds on these rows, one for each row. */
  rowHoldIds: HoldId[];
  /** Holds on the member, which keep the amounts above out of the payout, too. */
  memberHoldIds: HoldId[];
  /** Reviews of the creator at the cutoff. */
  reviewIds: GateId[];
  /** Time from which the creator's method for the currency can be used; null without one, or if payouts need none. */
  methodUsableFrom: Date | null;
  /** Everything that kept the creator out of payouts at the cutoff, regardless of the amount. */
  creatorBlocks: CreatorBlock[];
  /** True if, after the cutoff, a hold was placed on the member, a gate closed, or a method that payouts need ended. */
  isHeldSince: boolean;
  /** True if the creator was put under review, or lost a tax clearance or a payout method that payouts need, after the cutoff. */
  isGatedSince: boolean;
  /** True if a hold that kept payable rows, or the member, out of the payout was released after the cutoff. */
  isReleasedSince: boolean;
}

/** Returns a condition that selects the rewards from a group's bounties that were payable as of a cutoff. */
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

/** Returns a condition that selects a group's clawbacks that had not yet been deducted from a payout as of a cutoff. */
export const waitingClawbacks = ({ publisherId, groupId, asOf }: PayableScope): RawBuilder<unknown> => sql`
  c.publisher_id = ${publisherId} and c.group_id = ${groupId} and c.payout_batch_id is null
  and c.created_at <= ${asOf} and (c.payable_at is null or c.payable_at <= ${asOf})`;

/**
 * Calculates the amounts due to a group's members at a cutoff, by currency and member. Used for both previews and
 * creation. A cutoff gives the same result until the group's next payout is created or its terms change: later
 * postings, cancellations, clawbacks and merges are ignored, and rows reversed later still count.
 */
export async function readPayable(
  tx: Tx,
  scope: PayoutScope,
  filter: PayableFilter,
): Promise<PlannedPayable[]> {
  const { publisherId, groupId, asOf } = scope;
  const { membershipIds = null } = filter;
  const methodColumns = { accountId: 'm.account_id', currency: 'o.currency' };
  const { rows } = await sql<PayableRow>`
    with ${earned(scope, filter)},
    rewarded as (
      select w.membership_id, w.currency, count(*) as reward_count, sum(w.amount_minor) as amount
      from reward_payment w
      where ${payableRewards(scope)} and ${isWanted(filter, 'w')}
      group by w.membership_id, w.currency
    ),
    clawed as (
      select adjustment.membership_id, adjustment.currency, sum(adjustment.amount_minor) as amount
      from (
        select c.membership_id, c.currency, c.amount_minor::numeric
        from clawback c
        where ${waitingClawbacks(scope)} and ${isWanted(filter, 'c')}
        union all
        select r.membership_id, r.currency, -r.amount_minor
        from payout_return r
        where ${waitingReturns(scope)} and ${isWanted(filter, 'r')}
        union all
        select r.membership_id, r.currency, -r.amount_minor::numeric
        from reinstatement_adjustment r
        where ${waitingReturns(scope)} and ${isWanted(filter, 'r')}
      ) adjustment
      group by adjustment.membership_id, adjustment.currency
    ),
    -- Columns are joined by unqualified names, because Citus loses the columns of a full join that a further join
    -- refers to under an alias.
    summed as (
      select membership_id, currency, e.row_count, e.amount, e.reversed, e.seen_count, e.recording_ids,
             e.held_count, e.held_amount, e.hold_ids, e.is_released_since,
             w.reward_count, w.amount as reward_amount, c.amount as clawed_amount
      from earned e
      full join rewarded w using (membership_id, currency)
      full join clawed c using (membership_id, currency)
    ),
    owed as (
      select ${standingAt(publisherId, 'recorded', asOf)} as membership_id,
             currency,
             array_agg(recorded.membership_id) as membership_ids,
             coalesce(bool_or(recorded.pointed_on_at > ${asOf} and (recorded.merged_at is null or recorded.merged_at <= ${asOf})), false) as is_unclear,
             coalesce(sum(s.row_count), 0) as row_count,
             coalesce(sum(s.amount), 0) as payments,
             coalesce(sum(s.reversed), 0) as reversed,
             coalesce(sum(s.seen_count), 0) as seen_count,
             jsonb_agg(s.recording_ids) as recording_ids,
             coalesce(sum(s.held_count), 0) as held_count,
             coalesce(sum(s.held_amount), 0) as held,
             jsonb_agg(s.hold_ids) as hold_ids,
             coalesce(bool_or(s.is_released_since), false) as is_released_since,
             coalesce(sum(s.reward_count), 0) as reward_count,
             coalesce(sum(s.reward_amount), 0) as rewards,
             -coalesce(sum(s.clawed_amount), 0) as adjustments
      from summed s
      join membership recorded on recorded.publisher_id = ${publisherId} and recorded.membership_id = s.membership_id
      group by 1, 2
    ),
    held_member as materialized (${holdsOfMembers(scope, groupId, membershipIds)}),
    gated_member as materialized (${gatesOfMembers(scope, groupId, membershipIds)})
    select m.membership_id, m.account_id, a.name, m.player_id, currency, o.membership_ids, o.is_unclear,
           o.row_count::bigint as row_count, o.payments::text as payments, o.reversed::text as reversed,
           o.seen_count::bigint as seen_count, o.recording_ids,
           o.reward_count::bigint as reward_count, o.rewards::text as rewards, o.adjustments::text as adjustments,
           o.held_count::bigint as held_count, o.held::text as held, o.hold_ids, o.is_released_since,
           to_jsonb(held.hold_ids) as member_hold_ids, coalesce(held.is_held_since, false) as is_member_held_since,
           coalesce(held.is_released_since, false) as is_member_released_since,
           to_jsonb(gated.review_ids) as review_ids, coalesce(gated.is_cleared, false) as is_cleared,
           coalesce(gated.is_review_since or (${scope.needs.taxCleared} and gated.is_uncleared_since), false) as is_gated_since,
           ${methodUsableFrom(scope, methodColumns)} as method_usable_from,
           ${lacksMethod(scope, nowOnClock(scope), methodColumns)} as lacks_method,
           coalesce(g.payout_minimums ->> currency, '0') as minimum
    from owed o
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = o.membership_id
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = ${groupId}
    left join held_member held on held.membership_id = o.membership_id
    left join gated_member gated on gated.membership_id = o.membership_id
    order by currency, m.membership_id`.execute(tx);
  return rows.map((row) => toPayable(row, scope));
}

/**
 * Returns each membership's earnings by currency, as the relation `earned`. Rows before `sumsUntil` are read as sums
 * of days, and the other rows one by one, or all of them if `sumsUntil` is null. Rows recorded around or after the
 * cutoff are checked one recording at a time. Their recordings are sorted together with the late ones, because either
 * set can be large.
 */
const earned = (scope: PayoutScope, filter: PayableFilter): RawBuilder<unknown> => {
  const { sumsUntil: until = null } = filter;
  const which = { members: isMember(filter, 'm'), currencies: isWanted(filter, 'b') };
  return sql`
  marked as materialized (${marksOf(scope, which, daysOfMarks)}),
  ${until === null ? sql`` : sql`${sumsOfDays(scope, until)},`}
  seen as materialized (
    select membership_id, currency, recording_id,
           count(*) as seen_count,
           count(*) filter (where is_payable) as row_count,
           coalesce(sum(due_minor) filter (where is_payable), 0) as amount,
           coalesce(sum(due_minor - left_minor) filter (where is_payable), 0) as reversed,
           count(*) filter (where is_held) as held_count,
           coalesce(sum(due_minor) filter (where is_held), 0) as held_amount,
           array_agg(hold_id) filter (where is_held) as hold_ids,
           bool_or(is_released_since) filter (where is_held) as is_released_since
    from (
      select membership_id, currency, recording_id, due_minor, left_minor, hold_id, is_released_since,
             is_payable and hold_id is null as is_payable, is_payable and hold_id is not null as is_held
      from (
      select membership_id, currency, recording_id, due_minor, left_minor, hold_id, is_released_since,
             -- Nothing was due for a row that was reversed then and has been reinstated since.
             is_payable and (is_not_reinstated or due_minor <> 0) as is_payable
      from (
      select membership_id, currency, share_minor - ${takenAtCutoff(scope, 'p')} as due_minor,
             case
               when reversed_at is null and not ${isRowHeldSince(scope, 'p.attribution_id')} and ${isNotReinstatedSince(scope)}
                 then share_minor - coalesce(reversed_minor, 0)
               else 0
             end as left_minor,
             ${holdOfRow(scope, 'p.attribution_id')} as hold_id,
             ${isRowReleasedSince(scope, 'p.attribution_id')} as is_released_since,
             ${isOpen(scope)} and ${isFree(scope)} as is_payable,
             ${isNotReinstatedSince(scope)} as is_not_reinstated,
             case
               when attribution_id >= ${scope.postedBefore}::uuid and ${isOpen(scope)} and ${isFree(scope)}
                 then ${recordingOf('p.attribution_id')}
             end as recording_id
      from (
        select marked.membership_id, a.attribution_id, a.currency, a.share_minor, p.payout_batch_id, p.reversed_at,
               p.payable_at, p.reversed_minor, p.part_at, p.reinstated_at, p.has_holds
        from ${rowsFromMarks(scope, until === null ? sql`true` : sql`a.transaction_date >= ${until}`)}
        union all
        ${until === null ? sql`` : sql`${apartFromMarks} union all`}
        select p.membership_id, p.attribution_id, p.currency, p.share_minor, p.payout_batch_id, p.reversed_at,
               p.payable_at, p.reversed_minor, p.part_at, p.reinstated_at, p.has_holds
        from ${reversedBeforeMarks(scope, isWanted(filter, 'p'))}
      ) p
      ) each_open
      ) each_payable
    ) each_row
    group by 1, 2, 3
  ),
  judged as (
    select membership_id, currency, recording_id, seen_count, row_count, amount, reversed, held_count, held_amount,
           hold_ids, is_released_since, bool_or(is_late) over (partition by recording_id) as is_late
    from (
      select *, false as is_late from seen where recording_id is not null
      union all
      select null, null, recording_id, 0, 0, 0, 0, 0, 0, null, null, true
      from (${lateRecordings(scope, scope.asOf)}) late
      where exists (select 1 from seen where recording_id is not null)
    ) young
  ),
  earned as (
    select membership_id, currency, sum(seen_count) as seen_count, sum(row_count) as row_count, sum(amount) as amount,
           sum(reversed) as reversed,
           array_agg(distinct recording_id) filter (where recording_id is not null) as recording_ids,
           sum(held_count) as held_count, sum(held_amount) as held_amount,
           jsonb_agg(hold_ids) filter (where hold_ids is not null) as hold_ids,
           bool_or(is_released_since) as is_released_since
    from (
      select membership_id, currency, recording_id, seen_count, row_count, amount, reversed, held_count, held_amount,
             hold_ids, is_released_since
      from seen
      where recording_id is null
      union all
      select membership_id, currency, recording_id, seen_count, row_count, amount, reversed, held_count, held_amount,
             hold_ids, is_released_since
      from judged
      where not is_late
      ${until === null ? sql`` : sql`union all ${restOfDays}`}
    ) posted
    group by 1, 2
    having sum(row_count) + sum(held_count) > 0
  )`;
};

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
  held_count: bigint;
  held: string;
  hold_ids: (HoldId[][] | null)[];
  is_released_since: boolean;
  member_hold_ids: HoldId[] | null;
  is_member_held_since: boolean;
  is_member_released_since: boolean;
  review_ids: GateId[] | null;
  is_cleared: boolean;
  is_gated_since: boolean;
  method_usable_from: Date | null;
  lacks_method: boolean;
  minimum: string;
}

function toPayable(row: PayableRow, { clockAt, needs }: PayoutScope): PlannedPayable {
  const paymentsMinor = BigInt(row.payments);
  const adjustmentsMinor = BigInt(row.adjustments);
  const rewardsMinor = BigInt(row.rewards);
  const amountMinor = paymentsMinor + rewardsMinor + adjustmentsMinor;
  const minimumMinor = BigInt(row.minimum);
  const memberHoldIds = row.member_hold_ids ?? [];
  const reviewIds = row.review_ids ?? [];
  const creator = {
    memberHoldIds,
    reviewIds,
    isCleared: row.is_cleared,
    methodUsableFrom: row.method_usable_from,
    clockAt,
    needs,
  };
  const blocks = blocksOf({ amountMinor, minimumMinor }, creator);
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
    blocks,
    isDue: amountMinor > 0n && blocks.length === 0,
    held: { count: Number(row.held_count), amountMinor: BigInt(row.held) },
    rowHoldIds: row.hold_ids.flatMap((each) => each ?? []).flat(),
    memberHoldIds,
    reviewIds,
    methodUsableFrom: row.method_usable_from,
    creatorBlocks: creatorBlocksOf(creator),
    membershipIds: row.membership_ids,
    seenCount: Number(row.seen_count),
    recordingIds: row.recording_ids.flatMap((each) => each ?? []),
    reversedMinor: BigInt(row.reversed),
    isUnclear: row.is_unclear,
    isHeldSince: row.is_member_held_since || row.is_gated_since || row.lacks_method,
    isGatedSince: row.is_gated_since || row.lacks_method,
    isReleasedSince:
      memberHoldIds.length === 0
        ? row.is_released_since
        : row.is_member_released_since && (amountMinor > 0n || row.is_released_since),
  };
}

export const isDue = (amountMinor: bigint, minimumMinor: bigint): boolean =>
  amountMinor > 0n && amountMinor >= minimumMinor;
