import { sql } from 'kysely';
import { mergedInto, standing } from '../../members/standing.ts';
import type { Weighed } from '../../platform/answer-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { RollupQuery } from '../../settlement/read-totals.ts';

export interface RisingCreator {
  memberId: AccountId;
  name: string;
  place: number;
  /** Null for a creator without earnings in the earlier days. */
  placeBefore: number | null;
  /** Sum of shares, minus reversed shares. */
  shareMinor: bigint;
  /** True if the creator has no purchase before `newSince`. */
  isNew: boolean;
}

export interface RisingQuery extends RollupQuery {
  /** Days to compare with. */
  before: RollupQuery['days'];
  currency: string;
  newSince: string;
}

/** Maximum number of creators returned. */
const maxRising = 5;
/** Maximum number of newcomers among them, if enough other creators have climbed. */
const maxNewcomers = 2;

/**
 * Finds the creators who climbed furthest in the ranking by earnings in one currency, between two ranges of days. A
 * creator without earnings in the earlier range counts as one place below all others, so every newcomer gains many
 * places. Newcomers are therefore limited to two of the five places, unless fewer than three other creators climbed. A
 * merged membership counts toward the membership it was merged into, even when deciding whether a creator is new.
 * @returns the creators; the result's weight is the number of rollup rows summed
 */
export async function findRisingCreators(
  db: Db,
  { publisherId, groupIds, days, before, currency, newSince }: RisingQuery,
): Promise<Weighed<RisingCreator[]>> {
  const isIn = ({ from, until }: RollupQuery['days']) => sql`(day >= ${from}::date and day < ${until}::date)`;
  const { rows } = await sql<{
    account_id: AccountId | null;
    name: string;
    place: string;
    place_before: string | null;
    share_minor: string;
    is_new: boolean;
    added: string | null;
  }>`
    with earned as materialized (
      select membership_id, count(*) as added,
             coalesce(sum(share_minor - reversed_share_minor) filter (where ${isIn(days)}), 0) as share_minor,
             coalesce(sum(share_minor - reversed_share_minor) filter (where ${isIn(before)}), 0) as before_minor
      from earning_rollup
      where publisher_id = ${publisherId} and group_id = any(${[...groupIds]}::text[]) and currency = ${currency}
        and (${isIn(days)} or ${isIn(before)})
      group by membership_id
    ),
    of_accounts as (
      select m.account_id, sum(e.share_minor) as share_minor, sum(e.before_minor) as before_minor
      from earned e
      join membership recorded on recorded.publisher_id = ${publisherId} and recorded.membership_id = e.membership_id
      join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${standing('recorded')}
      group by m.account_id
    ),
    placed as (
      select account_id, share_minor, before_minor, rank() over (order by share_minor desc) as place,
             case when before_minor > 0 then rank() over (order by before_minor desc) end as place_before,
             greatest(count(*) filter (where share_minor > 0) over (), count(*) filter (where before_minor > 0) over ()) + 1 as last_place
      from of_accounts
    ),
    climbed as (
      select *, coalesce(place_before, last_place) - place as gained
      from placed
      where share_minor > 0 and place < coalesce(place_before, last_place)
    ),
    risen as (
      select *, row_number() over (partition by place_before is null order by gained desc, share_minor desc, account_id)
                > case when place_before is null then ${maxNewcomers}::int else ${maxRising - maxNewcomers}::int end as is_extra
      from climbed
      order by is_extra, gained desc, share_minor desc, account_id
      limit ${maxRising}
    )
    select r.account_id, a.name, r.place::text, r.place_before::text, r.share_minor::text,
           not exists (
             select 1 from membership m
             join membership recorded
               on recorded.publisher_id = ${publisherId}
               and (recorded.membership_id = m.membership_id or ${mergedInto('recorded')} = m.membership_id)
             join earning_rollup e
               on e.publisher_id = ${publisherId} and e.membership_id = recorded.membership_id
               and e.day < ${newSince}::date
             where m.publisher_id = ${publisherId} and m.account_id = r.account_id
           ) as is_new,
           total.added::text as added
    from (select sum(added) as added from earned) total
    left join risen r on true
    left join creator_account a on a.account_id = r.account_id
    order by r.gained desc, r.share_minor desc, r.account_id`.execute(db);
  // Without risers, the only row has just the weight.
  const answer = rows.flatMap(({ account_id: memberId, ...row }) =>
    memberId === null
      ? []
      : {
          memberId,
          name: row.name,
          place: Number(row.place),
          placeBefore: row.place_before === null ? null : Number(row.place_before),
          shareMinor: BigInt(row.share_minor),
          isNew: row.is_new,
        },
  );
  return { answer, weight: Number(rows[0]?.added ?? 0) };
}
