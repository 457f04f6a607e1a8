import { sql } from 'kysely';
import { standing } from '../../members/standing.ts';
import type { Weighed } from '../../platform/answer-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { RollupQuery } from '../../settlement/read-totals.ts';

export interface RankedCreator {
  memberId: AccountId;
  name: string;
  currency: string;
  rowCount: bigint;
  grossMinor: bigint;
  /** Sum of shares, minus reversed shares. */
  shareMinor: bigint;
}

/** Maximum number of creators returned per currency. */
const maxRank = 5;

/**
 * Ranks the creators with the highest shares in each currency, across all groups. A merged membership counts
 * toward the membership it was merged into.
 * @returns the creators; the result's weight is the number of rollup rows summed
 */
export async function rankCreators(
  db: Db,
  { publisherId, groupIds, days }: RollupQuery,
): Promise<Weighed<RankedCreator[]>> {
  const { rows } = await sql<{
    account_id: AccountId;
    name: string;
    currency: string;
    row_count: string;
    gross_minor: string;
    share_minor: string;
    added: string;
  }>`
    with earned as materialized (
      select membership_id, currency, count(*) as added, sum(row_count) as row_count, sum(gross_minor) as gross_minor,
             sum(share_minor - reversed_share_minor) as share_minor
      from earning_rollup
      where publisher_id = ${publisherId} and group_id = any(${[...groupIds]}::text[])
        and day >= ${days.from}::date and day < ${days.until}::date
      group by membership_id, currency
    ),
    of_accounts as (
      select m.account_id, e.currency, sum(e.row_count) as row_count, sum(e.gross_minor) as gross_minor,
             sum(e.share_minor) as share_minor
      from earned e
      join membership recorded on recorded.publisher_id = ${publisherId} and recorded.membership_id = e.membership_id
      join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${standing('recorded')}
      group by m.account_id, e.currency
    ),
    ranked as (
      select *, row_number() over (partition by currency order by share_minor desc, account_id) as rank
      from of_accounts
      where share_minor > 0
    )
    select r.account_id, a.name, r.currency, r.row_count::text, r.gross_minor::text, r.share_minor::text,
           (select sum(added) from earned)::text as added
    from ranked r
    join creator_account a on a.account_id = r.account_id
    where r.rank <= ${maxRank}
    order by r.currency, r.rank`.execute(db);
  const answer = rows.map((row) => ({
    memberId: row.account_id,
    name: row.name,
    currency: row.currency,
    rowCount: BigInt(row.row_count),
    grossMinor: BigInt(row.gross_minor),
    shareMinor: BigInt(row.share_minor),
  }));
  return { answer, weight: Number(rows[0]?.added ?? 0) };
}
