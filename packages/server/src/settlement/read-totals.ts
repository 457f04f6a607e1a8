import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

/** Sums in one currency, in its minor units. */
export interface Sums {
  rowCount: bigint;
  grossMinor: bigint;
  shareMinor: bigint;
  reversedCount: bigint;
  reversedGrossMinor: bigint;
  reversedShareMinor: bigint;
}

export interface DaySums extends Sums {
  /** UTC day, such as 2026-05-01. */
  day: string;
  currency: string;
}

export interface RollupQuery {
  publisherId: string;
  groupIds: readonly string[];
  /** UTC days, such as 2026-05-01: the first day, and the day after the last. */
  days: { from: string; until: string };
}

interface Row {
  currency: string;
  row_count: string;
  gross_minor: string;
  share_minor: string;
  reversed_count: string;
  reversed_gross_minor: string;
  reversed_share_minor: string;
}

const sums = sql`
  sum(row_count)::text as row_count, sum(gross_minor)::text as gross_minor, sum(share_minor)::text as share_minor,
  sum(reversed_count)::text as reversed_count, sum(reversed_gross_minor)::text as reversed_gross_minor,
  sum(reversed_share_minor)::text as reversed_share_minor`;

export async function readTotals(
  db: Db,
  { publisherId, groupIds, days }: RollupQuery,
): Promise<ReadonlyMap<string, Sums>> {
  const { rows } = await sql<Row>`
    select currency, ${sums}
    from group_rollup
    where publisher_id = ${publisherId} and group_id = any(${[...groupIds]}::text[])
      and day >= ${days.from}::date and day < ${days.until}::date
    group by currency
    order by currency`.execute(db);
  return new Map(rows.map((row) => [row.currency, toSums(row)]));
}

export async function readDailyTotals(
  db: Db,
  { publisherId, groupIds, days }: RollupQuery,
): Promise<DaySums[]> {
  const { rows } = await sql<Row & { day: string }>`
    select day::text as day, currency, ${sums}
    from group_rollup
    where publisher_id = ${publisherId} and group_id = any(${[...groupIds]}::text[])
      and day >= ${days.from}::date and day < ${days.until}::date
    group by day, currency
    order by day, currency`.execute(db);
  return rows.map((row) => ({ day: row.day, currency: row.currency, ...toSums(row) }));
}

const toSums = (row: Row): Sums => ({
  rowCount: BigInt(row.row_count),
  grossMinor: BigInt(row.gross_minor),
  shareMinor: BigInt(row.share_minor),
  reversedCount: BigInt(row.reversed_count),
  reversedGrossMinor: BigInt(row.reversed_gross_minor),
  reversedShareMinor: BigInt(row.reversed_share_minor),
});
