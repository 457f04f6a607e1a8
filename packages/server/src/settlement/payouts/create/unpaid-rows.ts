import { type RawBuilder, sql } from 'kysely';
import { rowIdFloor } from '../../../platform/ids.ts';
import type { PayableScope, PayoutScope } from './payout-scope.ts';

/*
 * A member's unpaid rows are found through the index on the member, starting at the member's mark
 * (member_balance.unpaid_from), and their payments by primary key. The laterals with `offset 0` force that
 * plan, regardless of the planner's statistics, and the caller disables sequential scans (pinPlans).
 */

/**
 * Returns the marks of memberships as a relation with membership_id, unpaid_from (the earliest mark) and
 * parallel arrays: `currencies`, `marks`, and one array for each additional column.
 * @param which conditions on the membership `m` and its balance `b`
 * @param further additional columns, aggregated over the currencies
 */
export const marksOf = (
  { publisherId, groupId, heldAfter }: PayoutScope,
  which: { members: RawBuilder<unknown>; currencies: RawBuilder<unknown> },
  further: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> => sql`
  select m.membership_id, min(b.unpaid_from) as unpaid_from,
         array_agg(b.currency) as currencies, array_agg(b.unpaid_from) as marks${further}
  from membership m
  cross join lateral (
    select b.currency, b.unpaid_from
    from member_balance b
    where b.publisher_id = ${publisherId} and b.membership_id = m.membership_id and b.unpaid_from <= ${heldAfter}
      and ${which.currencies}
    offset 0
  ) b
  where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and ${which.members}
  group by m.membership_id`;

/**
 * Returns the rows that are at or after their members' marks and past the hold period. The result joins three
 * relations: `marked`, which the statement has defined with `marksOf`; `a`, the row, with the index of its
 * currency as `place`; and `p`, the row's payment, which is null if no payment is stored yet.
 * @param within additional conditions on the row
 */
export const rowsFromMarks = (
  { publisherId, heldAfter }: Pick<PayableScope, 'publisherId' | 'heldAfter'>,
  within: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
  marked
  cross join lateral (
    select a.attribution_id, a.currency, a.transaction_date, a.share_minor,
           array_position(marked.currencies, a.currency) as place
    from attribution a
    where a.publisher_id = ${publisherId} and a.membership_id = marked.membership_id
      and a.transaction_date >= marked.unpaid_from and a.transaction_date <= ${heldAfter}
      and ${within} and not a.is_test
      and a.transaction_date >= marked.marks[array_position(marked.currencies, a.currency)]
    offset 0
  ) a
  left join lateral (
    select p.payout_batch_id, p.reversed_at, p.payable_at
    from payment p
    where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
    offset 0
  ) p on true`;

/**
 * Returns the rows before their members' marks that were reversed after the cutoff, as the relations `r`, the
 * reversal, and `p`, the row's payment. Either a payout that was later undone raised the mark past these
 * rows, or the rows were recorded before marks existed. There are at most as many such rows as reversals
 * since the cutoff.
 * @param within additional conditions on the payment
 */
export const reversedBeforeMarks = (
  { publisherId, groupId, asOf, heldAfter }: PayoutScope,
  within: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  refund_record r
  cross join lateral (
    select p.attribution_id, p.membership_id, p.currency, p.transaction_date, p.share_minor, p.payout_batch_id,
           p.reversed_at, p.payable_at
    from payment p
    where p.publisher_id = ${publisherId} and p.attribution_id = r.attribution_id and p.group_id = ${groupId}
      and p.reversed_at > ${asOf} and p.transaction_date <= ${heldAfter} and ${within}
    offset 0
  ) p
  left join lateral (
    select b.unpaid_from
    from member_balance b
    where b.publisher_id = ${publisherId} and b.membership_id = p.membership_id and b.currency = p.currency
    offset 0
  ) b on true
  where r.publisher_id = ${publisherId} and r.refund_id >= ${rowIdFloor(asOf)}::uuid and r.reverses_money
    and (p.transaction_date >= b.unpaid_from) is not true`;

/**
 * Returns a condition for rows that are in no payout and were not reversed at the cutoff. Such rows are
 * payable at the cutoff or later.
 */
export const isOpen = ({ asOf }: Pick<PayableScope, 'asOf'>): RawBuilder<boolean> =>
  sql`p.payout_batch_id is null and (p.reversed_at is null or p.reversed_at > ${asOf})`;

/** Returns a condition for rows that, at the cutoff, were not in a payout that was canceled later. */
export const isFree = ({ asOf }: Pick<PayableScope, 'asOf'>): RawBuilder<boolean> =>
  sql`(p.payable_at is null or p.payable_at <= ${asOf})`;

/**
 * Returns the recordings that are unposted, or were posted after a time, and may have rows past the hold
 * period.
 * @param since time after which postings count as late
 */
export const lateRecordings = (
  { publisherId, heldAfter }: PayoutScope,
  since: Date,
): RawBuilder<unknown> => sql`
  select recording_id from unposted where publisher_id = ${publisherId}
  union all
  select unnest(recording_ids)
  from posting
  where publisher_id = ${publisherId} and posted_at > ${since} and earliest_date <= ${heldAfter}`;
