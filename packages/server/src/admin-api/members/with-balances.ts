import { type RawBuilder, sql } from 'kysely';
import { mergedInto, standing } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';

export interface Balance {
  currency: string;
  /** Amount the publisher owes the member; negative if clawbacks exceed earnings. */
  balanceMinor: bigint;
}

/**
 * Replaces the membership id of each listed member with the member's nonzero balances, by currency. Balances of
 * memberships that were merged into a listed one count toward it. Unposted purchases are missing.
 */
export async function withBalances<Row extends { membershipId: MembershipId }>(
  db: Db,
  publisherId: string,
  rows: readonly Row[],
) {
  const balances = await readBalancesOf(
    db,
    publisherId,
    rows.map(({ membershipId }) => membershipId),
  );
  return rows.map(({ membershipId, ...row }) => ({ ...row, balances: balances.get(membershipId) ?? [] }));
}

/**
 * Reads the nonzero balances of the given standing memberships, in one statement for the whole page. `offset 0` makes it
 * look up each membership. The planner, which can't tell how many rows a publisher has, would read all of its balances.
 */
async function readBalancesOf(
  db: Db,
  publisherId: string,
  ids: readonly MembershipId[],
): Promise<ReadonlyMap<MembershipId, Balance[]>> {
  const { rows } = await sql<{ id: MembershipId; currency: string; balance_minor: string }>`
    select one.id, b.currency, sum(b.balance_minor) as balance_minor
    from unnest(${ids}::uuid[]) as one (id)
    cross join lateral (
      select one.id as membership_id
      union all
      (select merged.membership_id
       from membership merged
       where merged.publisher_id = ${publisherId} and ${mergedInto('merged')} = one.id
       offset 0)
    ) own
    cross join lateral (
      select currency, balance_minor
      from member_balance
      where publisher_id = ${publisherId} and membership_id = own.membership_id
      offset 0
    ) b
    group by one.id, b.currency
    having sum(b.balance_minor) <> 0
    order by one.id, b.currency`.execute(db);
  const balances = new Map<MembershipId, Balance[]>();
  for (const { id, currency, balance_minor } of rows)
    balances.set(id, [...(balances.get(id) ?? []), { currency, balanceMinor: BigInt(balance_minor) }]);
  return balances;
}

/**
 * Builds the join of `b`, the sums of all balances in a currency, with those of merged memberships, to the membership `m`. No index has this order, because
 * posting would have to maintain it with each purchase.
 */
export const joinBalances = (publisherId: string, currency: string): RawBuilder<unknown> => sql`
  left join (
    select ${standing('own')} as membership_id, sum(each.balance_minor) as balance_minor
    from member_balance each
    join membership own on own.publisher_id = ${publisherId} and own.membership_id = each.membership_id
    where each.publisher_id = ${publisherId} and each.currency = ${currency} and each.balance_minor <> 0
    group by 1
  ) b on b.membership_id = m.membership_id`;
