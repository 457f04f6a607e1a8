import { sql } from 'kysely';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Weighed } from '../../platform/kept-answers.ts';

export interface Due {
  groupId: string;
  currency: string;
}

/** Of one member no more rows are added up: who has so many out of the hold period is taken to reach the minimum. */
const mostRows = 500;

/**
 * Groups and currencies in which somebody is owed enough that is out of the hold period. A member's mark alone does not
 * say so: after a payout it lies at the hold period's end, though all that is left is held. The first member found is
 * enough, and who is not yet due has few such rows: so it stays cheap where thousands are owed. What merged members
 * earned before is left to the preview, which says exactly.
 */
export async function findDue(
  db: Db,
  { publisherId, groupIds, now }: { publisherId: string; groupIds: readonly string[]; now: Date },
): Promise<Weighed<Due[]>> {
  const { rows } = await sql<{ group_id: string; currency: string; looked: bigint }>`
    with candidate as materialized (
      select m.group_id, b.currency, b.membership_id, b.unpaid_from,
             ${now}::timestamptz - make_interval(days => g.hold_days) as held_after,
             coalesce(g.payout_minimums ->> b.currency, '0')::numeric as minimum
      from member_balance b
      join membership m on m.publisher_id = ${publisherId} and m.membership_id = b.membership_id
      join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
      where b.publisher_id = ${publisherId} and b.balance_minor > 0 and ${stands('m')}
        and g.group_id = any(${[...groupIds]}::text[])
        and b.unpaid_from <= ${now}::timestamptz - make_interval(days => g.hold_days)
        and b.balance_minor >= coalesce(g.payout_minimums ->> b.currency, '0')::numeric
    )
    select place.group_id, place.currency, place.looked
    from (select group_id, currency, count(*) as looked from candidate group by 1, 2) place
    cross join lateral (
      select 1 as is_found
      from candidate who
      cross join lateral (
        select count(*) as row_count, coalesce(sum(share_minor), 0) as share_minor
        from (
          select a.share_minor
          from attribution a
          left join lateral (
            select p.payout_batch_id, p.reversed_at
            from payment p
            where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
            offset 0
          ) p on true
          where a.publisher_id = ${publisherId} and a.membership_id = who.membership_id and a.currency = who.currency
            and a.transaction_date >= who.unpaid_from and a.transaction_date <= who.held_after and not a.is_test
            and p.payout_batch_id is null and p.reversed_at is null
          limit ${mostRows}
        ) open_row
      ) earned
      cross join lateral (
        select coalesce(sum(w.amount_minor), 0) as minor
        from reward_payment w
        where w.publisher_id = ${publisherId} and w.group_id = who.group_id and w.currency = who.currency
          and w.membership_id = who.membership_id and w.earned_at <= who.held_after and w.payout_batch_id is null
      ) rewards
      cross join lateral (
        select coalesce(sum(c.amount_minor), 0) as minor
        from clawback c
        where c.publisher_id = ${publisherId} and c.group_id = who.group_id and c.currency = who.currency
          and c.membership_id = who.membership_id and c.payout_batch_id is null
      ) taken_back
      where who.group_id = place.group_id and who.currency = place.currency
        and (earned.row_count = ${mostRows}
          or earned.share_minor + rewards.minor - taken_back.minor >= greatest(who.minimum, 1))
      limit 1
    ) found
    order by 1, 2`.execute(db);
  return {
    answer: rows.map((row) => ({ groupId: row.group_id, currency: row.currency })),
    weight: rows.reduce((sum, { looked }) => sum + Number(looked), 0),
  };
}
