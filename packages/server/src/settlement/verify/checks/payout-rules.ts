import { type RawBuilder, sql } from 'kysely';
import { mergedInto, standing } from '../../../members/standing.ts';
import type { MembershipId, PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { aheadMsAt } from '../../../publishers/publisher-time.ts';
import { joinRelease } from '../../holds/held.ts';
import { resultOf } from '../../payouts/results/result.ts';
import { brokenGates, brokenMethods } from './line-rules.ts';
import { lookUp, lookUpEntry } from './look-up.ts';
import { rule } from './rules.ts';

/** Key of a payout item. A payout has one item per member. */
export interface ItemKey {
  batchId: PayoutBatchId;
  membershipId: MembershipId;
}

/**
 * Returns the items that break a rule about their ledger entries or the rows, rewards and clawbacks assigned to them.
 * Compares by member: a payout created before two memberships were merged has an item for each, and a later payout has
 * only one.
 */
export const brokenItems = (publisherId: string, items: readonly ItemKey[]): RawBuilder<unknown> => sql`
  with picked as materialized (
    select i.batch_id, i.item_id, i.membership_id, i.amount_minor, i.method_id, i.made_at, b.status, b.group_id, b.currency, b.paid_at, b.as_of,
           b.needs_method, b.needs_tax_cleared, m.account_id,
           coalesce(${resultOf(publisherId, 'i', { status: sql`b.status` })}, '-') as result,
           ${standing('m')} as member_id
    from unnest(
      ${items.map(({ batchId }) => batchId)}::uuid[],
      ${items.map(({ membershipId }) => membershipId)}::uuid[]
    ) as k (batch_id, membership_id)
    join payout_item i
      on i.publisher_id = ${publisherId} and i.batch_id = k.batch_id and i.membership_id = k.membership_id
    join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = k.batch_id
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = k.membership_id
  ),
  -- All memberships of the members, in payouts that still have their rows.
  paid as materialized (
    select distinct batch_id, member_id, status, group_id, currency, paid_at, as_of
    from picked
    where status in ('Preparing', 'Created', 'Paid')
  ),
  family as materialized (
    select paid.*, member_id as membership_id from paid
    union all
    select paid.*, m.membership_id
    from paid
    join membership m on m.publisher_id = ${publisherId} and ${mergedInto('m')} = paid.member_id
  ),
  assigned as materialized (
    select f.*, p.attribution_id, p.reversed_at, p.refunded_minor, p.has_holds,
           -- What was paid: the share, less what was taken back otherwise than by clawbacks.
           p.share_minor + coalesce(c.amount_minor, 0) - coalesce(j.amount_minor, 0)
             - case when p.reversed_at is null then coalesce(p.reversed_minor, 0) else p.share_minor end as paid_minor,
           (p.group_id, p.currency) = (f.group_id, f.currency) as fits
    from family f
    join payment p
      on p.publisher_id = ${publisherId} and p.payout_batch_id = f.batch_id and p.membership_id = f.membership_id
    ${sumsOfRow(publisherId, 'c', 'clawback')}
    ${sumsOfRow(publisherId, 'j', 'reinstatement_adjustment')}
  )
  ${brokenEntries(publisherId)}
  union all
  select ${rule('clawback')}, 'attribution ' || s.attribution_id
  from assigned s
  ${lookUp('clawback', 'c', sql`publisher_id = ${publisherId} and attribution_id = s.attribution_id`)}
  where case when c.attribution_id is null then s.reversed_at is not null
             else s.reversed_at is null and s.refunded_minor is null end
  union all
  select ${rule('hold')}, 'attribution ' || s.attribution_id
  from assigned s
  join payment_hold h on h.publisher_id = ${publisherId} and h.attribution_id = s.attribution_id
  ${joinRelease(publisherId)}
  where s.has_holds and h.placed_at <= s.as_of and (r.released_at is null or r.released_at > s.as_of)
    and (h.ends_at is null
      or h.ends_at > s.as_of + ${aheadMsAt(publisherId, sql`s.as_of`)} * interval '1 millisecond')
  union all
  ${brokenGates(publisherId)}
  union all
  ${brokenMethods(publisherId)}
  union all
  ${brokenSums(publisherId)}`;

/** Joins the sum of a row's clawbacks, or of its reinstated shares, which only rows with parts or a reversal have. */
const sumsOfRow = (publisherId: string, as: string, table: string): RawBuilder<unknown> => sql`
  left join lateral (
    select sum(amount_minor) as amount_minor
    from (
      select amount_minor
      from ${sql.table(table)}
      where publisher_id = ${publisherId} and attribution_id = p.attribution_id
        and (p.reversed_at is not null or p.refunded_minor is not null)
      offset 0
    ) each_of
  ) ${sql.ref(as)} on true`;

const entryOfItem = { membership: 'i.membership_id', currency: 'i.currency', subject: 'i.item_id' };

/**
 * Returns the items whose ledger entries are wrong. While a payout is being canceled, only some of its items may have
 * been returned.
 */
const brokenEntries = (publisherId: string): RawBuilder<unknown> => sql`
  select rule, 'payout item ' || item_id as row
  from (
    select i.item_id,
      case
        when (i.result in ('Failed', 'Returned')) is distinct from (b.item_id is not null)
          or b.item_id is not null
            and (i.status not in ('Created', 'Paid')
                 or (b.amount_minor, b.membership_id, b.currency, b.group_id, b.from_batch_id)
                   is distinct from (i.amount_minor, i.membership_id, i.currency, i.group_id, i.batch_id))
          then ${rule('cameBack')}
        when e.amount_minor is distinct from -i.amount_minor then ${rule('item')}
        when case
               when i.status = 'Cancelled' or (i.status = 'Cancelling' and r.subject_id is not null)
                 or b.item_id is not null
                 then r.amount_minor is distinct from i.amount_minor
               else r.subject_id is not null
             end
          then ${rule('returned')}
      end as rule
    from picked i
    ${lookUpEntry(publisherId, 'e', entryOfItem, 'payout')}
    ${lookUpEntry(publisherId, 'r', entryOfItem, 'payout-return')}
    ${lookUp('payout_return', 'b', sql`publisher_id = ${publisherId} and item_id = i.item_id`)}
  ) judged
  where rule is not null`;

/**
 * Returns the items that differ from the sums of their rows, rewards and clawbacks. While a payout is being created, a
 * member's item is inserted with the member's last rows. A membership that has since been merged into the member's own
 * may already have more rows assigned.
 */
const brokenSums = (publisherId: string): RawBuilder<unknown> => sql`
  select ${rule('items')}, 'payout item ' || i.item_id
  from (
    select f.batch_id, f.member_id, f.status, (array_agg(i.item_id order by i.item_id))[1] as item_id,
           sum(i.row_count) as row_count, sum(i.payments_minor) as payments_minor,
           sum(i.reward_count) as reward_count, sum(i.rewards_minor) as rewards_minor,
           sum(i.adjustments_minor) as adjustments_minor
    from family f
    join payout_item i
      on i.publisher_id = ${publisherId} and i.batch_id = f.batch_id and i.membership_id = f.membership_id
    group by 1, 2, 3
  ) i
  left join (
    select batch_id, member_id, count(*) as row_count, sum(paid_minor) as amount, bool_and(fits) as fit
    from assigned
    group by 1, 2
  ) p on p.batch_id = i.batch_id and p.member_id = i.member_id
  left join (
    select f.batch_id, f.member_id, count(*) as reward_count, sum(w.amount_minor) as amount,
           bool_and((w.group_id, w.currency) = (f.group_id, f.currency)) as fit
    from family f
    join reward_payment w
      on w.publisher_id = ${publisherId} and w.payout_batch_id = f.batch_id and w.membership_id = f.membership_id
    group by 1, 2
  ) w on w.batch_id = i.batch_id and w.member_id = i.member_id
  left join (
    select f.batch_id, f.member_id, sum(r.amount_minor) as amount,
           bool_and((r.group_id, r.currency) = (f.group_id, f.currency)) as fit
    from family f
    cross join lateral (
      select group_id, currency, amount_minor
      from payout_return
      where publisher_id = ${publisherId} and payout_batch_id = f.batch_id and membership_id = f.membership_id
      union all
      select group_id, currency, amount_minor
      from reinstatement_adjustment
      where publisher_id = ${publisherId} and payout_batch_id = f.batch_id and membership_id = f.membership_id
    ) r
    group by 1, 2
  ) r on r.batch_id = i.batch_id and r.member_id = i.member_id
  left join (
    select f.batch_id, f.member_id, sum(c.amount_minor) as amount,
           bool_and((c.group_id, c.currency) = (f.group_id, f.currency)) as fit
    from family f
    join clawback c
      on c.publisher_id = ${publisherId} and c.payout_batch_id = f.batch_id and c.membership_id = f.membership_id
    group by 1, 2
  ) c on c.batch_id = i.batch_id and c.member_id = i.member_id
  where not (coalesce(p.fit, true) and coalesce(w.fit, true) and coalesce(c.fit, true) and coalesce(r.fit, true))
     or (i.row_count, i.payments_minor, i.reward_count, i.rewards_minor, i.adjustments_minor)
          is distinct from (coalesce(p.row_count, 0), coalesce(p.amount, 0), coalesce(w.reward_count, 0),
                            coalesce(w.amount, 0), coalesce(r.amount, 0) - coalesce(c.amount, 0))
        and not (i.status = 'Preparing' and coalesce(p.row_count, 0) >= i.row_count and coalesce(p.amount, 0) >= i.payments_minor
                 and coalesce(w.reward_count, 0) >= i.reward_count and coalesce(w.amount, 0) >= i.rewards_minor
                 -- Amounts that came back or were reinstated have the opposite sign, so a part of them says nothing about the sum.
                 and (r.amount is not null or coalesce(c.amount, 0) >= -i.adjustments_minor))`;
