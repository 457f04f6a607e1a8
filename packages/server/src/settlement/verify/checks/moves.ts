import { sql } from 'kysely';

/**
 * How far rollups have moved: the version by which an earlier run's comparison of them is known to hold still. Posted
 * rows, those whose money went back and those that are Normal or Test no more only ever grow in number: they are counted
 * in the upper half. Which of the statuses the last have, that may change again, is in the lower half.
 */
export const movesOfCells = sql`
  (sum((all_count + reversed_count + refund_count + fraud_count + chargeback_count) * 4294967296 + fraud_count + 2 * chargeback_count))`;

/** The six sums of money of a rollup, and the counts of rows by status. */
export const moneySums = sql`
  coalesce(sum(row_count), 0) as row_count, coalesce(sum(gross_minor), 0) as gross_minor,
  coalesce(sum(share_minor), 0) as share_minor, coalesce(sum(reversed_count), 0) as reversed_count,
  coalesce(sum(reversed_gross_minor), 0) as reversed_gross_minor,
  coalesce(sum(reversed_share_minor), 0) as reversed_share_minor`;
export const statusSums = sql`
  coalesce(sum(all_count), 0) as all_count, coalesce(sum(test_count), 0) as test_count,
  coalesce(sum(refund_count), 0) as refund_count, coalesce(sum(fraud_count), 0) as fraud_count,
  coalesce(sum(chargeback_count), 0) as chargeback_count`;
