import { sql } from 'kysely';
import { stands } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { Weighed } from '../../../platform/kept-answers.ts';
import { pinPlans } from '../../pin-plans.ts';
import { payableRewards, waitingClawbacks } from '../create/payable.ts';
import type { PayableScope } from '../create/payout-scope.ts';
import { isFree, isOpen, rowsFromMarks } from '../create/unpaid-rows.ts';

export interface Due {
  groupId: string;
  currency: string;
}

/** Of one member no more rows are added up: who has so many out of the hold period is taken to reach the minimum. */
const mostRows = 500;
const dayMs = 86_400_000;

/**
 * Groups and currencies in which somebody is owed enough that is out of the hold period. A member's mark alone does not
 * say so: after a payout it lies at the hold period's end, though all that is left is held. The first member found is
 * enough, and who is not yet due has few such rows: so it stays cheap where thousands are owed. What merged members
 * earned before is left to the preview, which says exactly.
 * @param now from which hold periods are counted back
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
      const answer: Due[] = [];
      let weight = 0;
      for (const { group_id: groupId, hold_days: holdDays } of groups) {
        const heldAfter = new Date(now.getTime() - holdDays * dayMs);
        const { rows } = await dueOf({ publisherId, groupId, asOf, heldAfter }).execute(tx);
        answer.push(...rows.map(({ currency }) => ({ groupId, currency })));
        weight += rows.reduce((sum, { looked }) => sum + Number(looked), 0);
      }
      return { answer, weight };
    });

/** The currencies of a group in which a first member was found, and how many could have been. */
const dueOf = (scope: PayableScope) => sql<{ currency: string; looked: bigint }>`
  with candidate as materialized (
    select b.currency, b.membership_id, b.unpaid_from, coalesce(g.payout_minimums ->> b.currency, '0')::numeric as minimum
    from creator_group g
    join membership m on m.publisher_id = ${scope.publisherId} and m.group_id = g.group_id
    join member_balance b on b.publisher_id = ${scope.publisherId} and b.membership_id = m.membership_id
    where g.publisher_id = ${scope.publisherId} and g.group_id = ${scope.groupId} and ${stands('m')}
      and b.unpaid_from <= ${scope.heldAfter} and b.balance_minor > 0
      and b.balance_minor >= coalesce(g.payout_minimums ->> b.currency, '0')::numeric
  )
  select place.currency, place.looked
  from (select currency, count(*) as looked from candidate group by 1) place
  cross join lateral (
    select 1 as is_found
    from candidate who
    cross join lateral (
      select count(*) as row_count, coalesce(sum(share_minor), 0) as minor
      from (
        with marked as (
          select who.membership_id, who.unpaid_from, array[who.currency] as currencies, array[who.unpaid_from] as marks
        )
        select a.share_minor
        from ${rowsFromMarks(scope)}
        where ${isOpen(scope)} and ${isFree(scope)}
        limit ${mostRows}
      ) open_row
    ) earned
    cross join lateral (
      select coalesce(sum(w.amount_minor), 0) as minor
      from reward_payment w
      where ${payableRewards(scope)} and w.currency = who.currency and w.membership_id = who.membership_id
    ) rewards
    cross join lateral (
      select coalesce(sum(c.amount_minor), 0) as minor
      from clawback c
      where ${waitingClawbacks(scope)} and c.currency = who.currency and c.membership_id = who.membership_id
    ) taken_back
    where who.currency = place.currency
      and (earned.row_count = ${mostRows}
        or earned.minor + rewards.minor - taken_back.minor >= greatest(who.minimum, 1))
    limit 1
  ) found
  order by 1`;
