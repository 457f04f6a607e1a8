import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';

/** Sums of a creator's purchases in one UTC month and currency, without reversed purchases. */
export interface MonthOfMember {
  /** Such as `2026-06`. */
  month: string;
  currency: string;
  purchases: bigint;
  shareMinor: bigint;
}

/**
 * Reads sums by month from the sums of days that posting maintains, latest month first.
 * @param since first UTC day, such as `2024-06-01`
 */
export async function readMonthsOfMember(
  db: Db,
  publisherId: string,
  membershipIds: readonly MembershipId[],
  since: string,
): Promise<MonthOfMember[]> {
  if (membershipIds.length === 0) return [];
  const { rows } = await sql<{ month: string; currency: string; purchases: string; share_minor: string }>`
    select to_char(day, 'YYYY-MM') as month, currency, sum(row_count - reversed_count) as purchases,
           sum(share_minor - reversed_share_minor) as share_minor
    from earning_rollup
    where publisher_id = ${publisherId} and membership_id = any(${[...membershipIds]}::uuid[]) and day >= ${since}::date
    group by 1, 2
    having sum(row_count) > 0
    order by 1 desc, 2`.execute(db);
  return rows.map((row) => ({
    month: row.month,
    currency: row.currency,
    purchases: BigInt(row.purchases),
    shareMinor: BigInt(row.share_minor),
  }));
}
