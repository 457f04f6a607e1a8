import { type RawBuilder, sql } from 'kysely';
import { standing } from '../../../members/standing.ts';
import type { Weighed } from '../../../platform/answer-cache.ts';
import type { Db } from '../../../platform/database/database.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import { readPayoutNeeds } from '../../../publishers/payout-needs.ts';
import { gatesOfMembers, isGated } from '../../gates/gates.ts';
import { holdsOfMembers, isRowUnheld } from '../../holds/held.ts';
import { pinPlans } from '../../pin-plans.ts';
import { methodUsableFrom } from '../create/method-of-line.ts';
import { payableRewards, waitingClawbacks } from '../create/payable.ts';
import type { PayableScope } from '../create/payout-scope.ts';
import { isFree, isOpen, rowsFromMarks } from '../create/unpaid-rows.ts';
import { waitingReturns } from '../create/waiting-returns.ts';

export interface Due {
  groupId: string;
  currency: string;
}

const dayMs = 86_400_000;

/**
 * Finds the groups and currencies where a member is due a payment, using the preview's rules. Members' marks alone
 * aren't enough: after a payout, a mark is at the end of the hold period even if all remaining rows are held. To stay
 * fast with thousands of members, the search stops at the first member found and adds up rows only until they reach the
 * missing amount.
 * @param now time from which hold periods are counted back
 */
export const findDue = (
  db: Db,
  { publisherId, groupIds, now }: { publisherId: string; groupIds: readonly string[]; now: Date },
): Promise<Weighed<Due[]>> =>
  db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      const groups = await tx
        .selectFrom('creator_group')
        .select(['group_id', 'hold_days'])
        .where('publisher_id', '=', publisherId)
        .where(sql<boolean>`group_id = any(${[...groupIds]}::text[])`)
        .orderBy('group_id')
        .execute();
      await sql`select ${pinPlans}`.execute(tx);
      const asOf = await readMoment(tx);
      const needs = await readPayoutNeeds(tx, publisherId);
      const answer: Due[] = [];
      let weight = 0;
      for (const { group_id: groupId, hold_days: holdDays } of groups) {
        const heldAfter = new Date(now.getTime() - holdDays * dayMs);
        const { rows } = await dueOf({ publisherId, groupId, asOf, clockAt: now, heldAfter, needs }).execute(
          tx,
        );
        answer.push(...rows.map(({ currency }) => ({ groupId, currency })));
        weight += rows.reduce((sum, { looked }) => sum + Number(looked), 0);
      }
      return { answer, weight };
    });

/** Returns a condition for a member `m` with a usable method for the currency of `b`, if payouts need one. */
const hasMethod = (scope: PayableScope): RawBuilder<boolean> =>
  scope.needs.method
    ? sql<boolean>`coalesce(
        ${methodUsableFrom(scope, { accountId: 'm.account_id', currency: 'b.currency' })} <= ${scope.clockAt}, false)`
    : sql<boolean>`true`;

/**
 * Returns the group's currencies where a member is due a payment, with the number of candidates in each. Shares are
 * never negative, so the running sum of a member's rows crosses the missing amount only once; rows with a share of 0
 * are skipped. Rows are added up in the order in which they are found: a window without an order doesn't need a sort
 * and stops at the first match.
 */
const dueOf = (scope: PayableScope) => sql<{ currency: string; looked: bigint }>`
  with other as materialized (
    select membership_id, currency, sum(amount_minor) as minor
    from (
      select w.membership_id, w.currency, w.amount_minor from reward_payment w where ${payableRewards(scope)}
      union all
      select c.membership_id, c.currency, -c.amount_minor from clawback c where ${waitingClawbacks(scope)}
      union all
      select r.membership_id, r.currency, r.amount_minor from payout_return r where ${waitingReturns(scope)}
      union all
      select r.membership_id, r.currency, r.amount_minor from reinstatement_adjustment r where ${waitingReturns(scope)}
    ) reward_or_adjustment
    group by 1, 2
  ),
  held_member as materialized (${holdsOfMembers(scope, scope.groupId)}),
  gated_member as materialized (${gatesOfMembers(scope, scope.groupId)}),
  candidate as materialized (
    select b.currency, array_agg(b.membership_id) as membership_ids,
           greatest(coalesce(min(g.payout_minimums ->> b.currency), '0')::numeric, 1) - coalesce(sum(o.minor), 0) as missing
    from creator_group g
    join membership recorded on recorded.publisher_id = ${scope.publisherId} and recorded.group_id = g.group_id
    join member_balance b on b.publisher_id = ${scope.publisherId} and b.membership_id = recorded.membership_id
    left join other o on o.membership_id = b.membership_id and o.currency = b.currency
    join membership m on m.publisher_id = ${scope.publisherId} and m.membership_id = ${standing('recorded')}
    left join gated_member gated on gated.membership_id = ${standing('recorded')}
    where g.publisher_id = ${scope.publisherId} and g.group_id = ${scope.groupId}
    group by ${standing('recorded')}, b.currency
    having ${standing('recorded')} <> all(array(select membership_id from held_member))
       and not bool_or(${isGated(scope, 'gated')})
       and bool_and(${hasMethod(scope)})
       and (min(b.unpaid_from) <= ${scope.heldAfter} or sum(o.minor) > 0) and sum(b.balance_minor) > 0
       and sum(b.balance_minor) >= coalesce(min(g.payout_minimums ->> b.currency), '0')::numeric
  )
  select place.currency, place.looked
  from (select currency, count(*) as looked from candidate group by 1) place
  cross join lateral (
    select 1 as is_found
    from candidate who
    where who.currency = place.currency
      and (who.missing <= 0 or exists (
        select 1
        from (
          with marked as (
            select b.membership_id, b.unpaid_from, array[b.currency] as currencies, array[b.unpaid_from] as marks
            from member_balance b
            where b.publisher_id = ${scope.publisherId} and b.membership_id = any(who.membership_ids)
              and b.currency = who.currency and b.unpaid_from <= ${scope.heldAfter}
          )
          select sum(a.share_minor - coalesce(p.reversed_minor, 0)) over (rows unbounded preceding) as minor
          from ${rowsFromMarks(scope, sql`a.share_minor > 0`)}
          where ${isOpen(scope)} and ${isFree(scope)} and ${isRowUnheld(scope, 'a.attribution_id')}
        ) earned
        where earned.minor >= who.missing
      ))
    limit 1
  ) found
  order by 1`;
