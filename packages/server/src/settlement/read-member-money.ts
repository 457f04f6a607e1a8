import { sql } from 'kysely';
import { mergedInto } from '../members/standing.ts';
import type { Db } from '../platform/database/database.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';

export interface MemberMoney {
  currency: string;
  /** Amount the publisher owes the member; negative if clawbacks exceed earnings. */
  balanceMinor: bigint;
  /**
   * Number of purchases since the requested day, excluding reversed ones. The amounts below are for the same purchases.
   */
  purchases: bigint;
  grossMinor: bigint;
  shareMinor: bigint;
}

/**
 * Reads a member's balances, and sums of the member's purchases since a given day, including those of memberships
 * merged into the member's own. All values come from balances and rollups, so unposted purchases are missing.
 * @param since a UTC day, such as `2026-06-01`
 */
export async function readMemberMoney(
  db: Db,
  publisherId: string,
  membershipId: MembershipId,
  since: string,
): Promise<MemberMoney[]> {
  const { rows } = await sql<{
    currency: string;
    balance_minor: string;
    purchases: string;
    gross_minor: string;
    share_minor: string;
  }>`
    with included as (
      select ${membershipId}::uuid as membership_id
      union all
      select merged.membership_id
      from membership merged
      where merged.publisher_id = ${publisherId} and ${mergedInto('merged')} = ${membershipId}::uuid
    ), sums as (
      select b.currency, b.balance_minor, 0 as purchases, 0 as gross_minor, 0 as share_minor
      from included i
      join member_balance b on b.publisher_id = ${publisherId} and b.membership_id = i.membership_id
      union all
      select e.currency, 0, e.row_count - e.reversed_count, e.gross_minor - e.reversed_gross_minor,
             e.share_minor - e.reversed_share_minor
      from included i
      join earning_rollup e on e.publisher_id = ${publisherId} and e.membership_id = i.membership_id
      where e.day >= ${since}::date
    )
    select currency, sum(balance_minor) as balance_minor, sum(purchases) as purchases, sum(gross_minor) as gross_minor,
           sum(share_minor) as share_minor
    from sums
    group by currency
    order by currency`.execute(db);
  return rows.map((row) => ({
    currency: row.currency,
    balanceMinor: BigInt(row.balance_minor),
    purchases: BigInt(row.purchases),
    grossMinor: BigInt(row.gross_minor),
    shareMinor: BigInt(row.share_minor),
  }));
}
