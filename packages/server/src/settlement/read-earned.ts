import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';

/** Shares of a member's purchases in one currency, without reversed purchases. */
export interface Earned {
  currency: string;
  /** Shares of the purchases of the day, in UTC. */
  todayMinor: bigint;
  /** Shares of the purchases of the day's month, in UTC. */
  monthMinor: bigint;
  /** Number of purchases of the last 31 days, without reversed ones. */
  recentCount: bigint;
}

/**
 * Reads what a member earned on a day and in its month. Unposted purchases are missing, and so are currencies without purchases
 * in the last 31 days.
 * @param membershipIds the member's own membership and those merged into it
 */
export async function readEarned(
  db: Db,
  publisherId: string,
  membershipIds: readonly MembershipId[],
  today: Date,
): Promise<Earned[]> {
  const day = today.toISOString().slice(0, 10);
  const month = `${day.slice(0, 7)}-01`;
  const { rows } = await sql<{ currency: string; today_minor: string; month_minor: string; recent: bigint }>`
    select e.currency,
           coalesce(sum(e.share_minor - e.reversed_share_minor) filter (where e.day >= ${day}::date), 0) as today_minor,
           coalesce(sum(e.share_minor - e.reversed_share_minor) filter (where e.day >= ${month}::date), 0) as month_minor,
           sum(e.row_count - e.reversed_count)::bigint as recent
    from earning_rollup e
    where e.publisher_id = ${publisherId} and e.membership_id = any(${[...membershipIds]}::uuid[])
      and e.day > ${day}::date - 31
    group by e.currency
    having sum(e.row_count - e.reversed_count) > 0 or sum(e.share_minor - e.reversed_share_minor) <> 0`.execute(
    db,
  );
  return rows.map(({ currency, today_minor, month_minor, recent }) => ({
    currency,
    todayMinor: BigInt(today_minor),
    monthMinor: BigInt(month_minor),
    recentCount: recent,
  }));
}
