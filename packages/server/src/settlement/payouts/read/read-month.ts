import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { type PayoutBatch, readBatches } from './read-payouts.ts';

export interface MonthFilter {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  /** UTC month, such as `2026-10`. */
  month: string;
}

export interface MonthSum {
  groupId: string;
  currency: string;
  /** Shares from the month's purchases, including shares reversed later. */
  earnedMinor: bigint;
  earnedCount: number;
  /** Part of those shares that was reversed, during the month or later. */
  reversedMinor: bigint;
  reversedCount: number;
  /** Rewards for bounties completed in the month. */
  bountiesMinor: bigint;
  bountiesCount: number;
  paidMinor: bigint;
  paidCount: number;
}

export interface Month {
  from: Date;
  /** Exclusive. */
  until: Date;
  sums: MonthSum[];
  /** Payouts marked as paid in the month, plus those created in the month and still unpaid, newest first. */
  payouts: PayoutBatch[];
  /** True if the month has more payouts than `payouts` includes. */
  areMore: boolean;
}

/** Maximum number of payouts to return for a month. A group usually has only a few. */
const maxPayouts = 1_000;

export function boundsOfMonth(month: string): { from: Date; until: Date } {
  const year = Number(month.slice(0, 4));
  const index = Number(month.slice(5)) - 1;
  return { from: new Date(Date.UTC(year, index, 1)), until: new Date(Date.UTC(year, index + 1, 1)) };
}

/** Reads a month's earnings, reversals, bounty rewards and payouts by group and currency, from stored sums. */
export async function readMonth(db: Db, filter: MonthFilter): Promise<Month> {
  const { publisherId, groupId } = filter;
  const { from, until } = boundsOfMonth(filter.month);
  const sums = await readMonthSums(db, filter);
  const payouts = await readBatches(
    db,
    publisherId,
    sql`and ((paid_at >= ${from} and paid_at < ${until})
             or (paid_at is null and status <> 'Cancelled' and created_at >= ${from} and created_at < ${until}))
        ${inGroup(groupId)}
        order by batch_id desc
        limit ${maxPayouts + 1}`,
  );
  return {
    from,
    until,
    sums,
    payouts: payouts.slice(0, maxPayouts),
    areMore: payouts.length > maxPayouts,
  };
}

const inGroup = (groupId: string | null): RawBuilder<unknown> =>
  groupId === null ? sql`` : sql`and group_id = ${groupId}`;

/** Reads a month's sums by group and currency. */
export async function readMonthSums(db: Db | Tx, filter: MonthFilter): Promise<MonthSum[]> {
  const { publisherId, groupId } = filter;
  const { from, until } = boundsOfMonth(filter.month);
  const { rows } = await sql<Record<Sum, string> & { group_id: string; currency: string }>`
    select group_id, currency, ${sql.join(sumNames.map((name) => sql`sum(${sql.ref(name)})::text as ${sql.ref(name)}`))}
    from (
      select group_id, currency, share_minor as earned, row_count as earned_count, reversed_share_minor as reversed,
             reversed_count, 0::numeric as bounties, 0 as bounties_count, 0::numeric as paid, 0 as paid_count
      from group_rollup g
      where g.publisher_id = ${publisherId} and day >= ${from}::timestamptz::date and day < ${until}::timestamptz::date ${inGroup(groupId)}
      union all
      select group_id, currency, 0, 0, 0, 0, amount_minor, 1, 0, 0
      from reward_payment w
      where w.publisher_id = ${publisherId} and earned_at >= ${from} and earned_at < ${until} ${inGroup(groupId)}
      union all
      select group_id, currency, 0, 0, 0, 0, 0, 0, total_minor, 1
      from payout_batch b
      where b.publisher_id = ${publisherId} and paid_at >= ${from} and paid_at < ${until} ${inGroup(groupId)}
    ) parts
    group by group_id, currency
    order by group_id, currency`.execute(db);
  return rows.map((row) => ({
    groupId: row.group_id,
    currency: row.currency,
    earnedMinor: BigInt(row.earned),
    earnedCount: Number(row.earned_count),
    reversedMinor: BigInt(row.reversed),
    reversedCount: Number(row.reversed_count),
    bountiesMinor: BigInt(row.bounties),
    bountiesCount: Number(row.bounties_count),
    paidMinor: BigInt(row.paid),
    paidCount: Number(row.paid_count),
  }));
}

const sumNames = [
  'earned',
  'earned_count',
  'reversed',
  'reversed_count',
  'bounties',
  'bounties_count',
  'paid',
  'paid_count',
] as const;
type Sum = (typeof sumNames)[number];
