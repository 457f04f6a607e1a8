import { type RawBuilder, sql } from 'kysely';
import { rowIdFloor } from '../../../platform/ids.ts';
import type { PayableScope, PayoutScope } from './payout-scope.ts';

/*
 * A member's unpaid rows are found in the index by member, starting at the member's mark (member_balance.unpaid_from),
 * and their payments by primary key. The laterals with `offset 0` force that plan regardless of the planner's
 * statistics, and the caller disables sequential scans (`pinPlans`).
 */

/**
 * Returns memberships' marks as a relation with membership_id, unpaid_from (the earliest mark) and parallel arrays:
 * `currencies`, `marks` and one for each additional column.
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
 * Returns the rows from their members' marks onward that are past the hold period, as a join of three relations:
 * `marked`, which the statement must define with `marksOf`; `a`, the row, with the index of its currency as `place`;
 * and `p`, the row's payment, or null if none is stored yet.
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
    select p.payout_batch_id, p.reversed_at, p.payable_at, p.reversed_minor, p.part_at, p.reinstated_at,
           p.has_holds
    from payment p
    where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
    offset 0
  ) p on true`;

/**
 * Returns the rows before their members' marks that were reversed after the cutoff, as the relations `r`, the reversal,
 * and `p`, the row's payment. Either a payout that was later undone raised the mark past these rows, or the rows were
 * recorded before marks existed. There can't be more of them than reversals since the cutoff.
 * @param within additional conditions on the payment
 */
export const reversedBeforeMarks = (
  { publisherId, groupId, asOf, heldAfter }: PayoutScope,
  within: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  (
    select distinct attribution_id
    from refund_record
    where publisher_id = ${publisherId} and refund_id >= ${rowIdFloor(asOf)}::uuid and reverses_money
  ) r
  cross join lateral (
    select p.attribution_id, p.membership_id, p.currency, p.transaction_date, p.share_minor, p.payout_batch_id,
           p.reversed_at, p.payable_at, p.reversed_minor, p.part_at, p.reinstated_at, p.has_holds
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
  where (p.transaction_date >= b.unpaid_from) is not true`;

/**
 * Returns a condition that selects rows that aren't in a payout and weren't reversed as of the cutoff. They are
 * payable at the cutoff or later.
 */
export const isOpen = ({ asOf }: Pick<PayableScope, 'asOf'>): RawBuilder<boolean> =>
  sql`p.payout_batch_id is null and (p.reversed_at is null or p.reversed_at > ${asOf})`;

type Cutoff = Pick<PayableScope, 'publisherId' | 'asOf'>;

/**
 * Returns the part of a row's share that had been taken back at the cutoff, for a row that wasn't fully reversed
 * by then. Reads the row's parts only if one was taken or given back after the cutoff.
 * @param row the relation with the row's id and share
 */
export const takenAtCutoff = (scope: Cutoff, row: string): RawBuilder<bigint> => sql`
  case
    when p.part_at is null then 0
    when p.part_at <= ${scope.asOf} then p.reversed_minor
    else ${sumAtCutoff(scope, row)}
  end`;

/**
 * Returns a condition that excludes rows that were reinstated after the cutoff. Their money is in the next payout.
 */
export const isNotReinstatedSince = ({ asOf }: Pick<PayableScope, 'asOf'>): RawBuilder<boolean> =>
  sql`(p.reinstated_at is null or p.reinstated_at <= ${asOf})`;

/** Adds up what refund records had taken of a row's share at the cutoff, minus what reinstatements had given back. */
const sumAtCutoff = ({ publisherId, asOf }: Cutoff, row: string): RawBuilder<bigint> => sql`(
  (
    select coalesce(sum(coalesce(r.share_minor, ${sql.ref(`${row}.share_minor`)})), 0)
    from refund_record r
    where r.publisher_id = ${publisherId} and r.attribution_id = ${sql.ref(`${row}.attribution_id`)}
      and r.reverses_money and r.created_at <= ${asOf}
  ) - (
    select coalesce(sum(i.share_minor), 0)
    from reinstatement i
    where i.publisher_id = ${publisherId} and i.attribution_id = ${sql.ref(`${row}.attribution_id`)}
      and i.created_at <= ${asOf}
  )
)`;

/** Returns a condition that excludes rows that, as of the cutoff, were in a payout that has since been canceled. */
export const isFree = ({ asOf }: Pick<PayableScope, 'asOf'>): RawBuilder<boolean> =>
  sql`(p.payable_at is null or p.payable_at <= ${asOf})`;

/**
 * Returns the recordings that may have rows past the hold period but are unposted or were posted after `since`.
 * @param since postings after this time count as late
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
