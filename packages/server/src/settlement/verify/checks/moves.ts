import { sql } from 'kysely';

/**
 * Version of a set of rollups. While the version is unchanged, an earlier comparison still holds. The upper
 * half counts posted rows, reversed rows, rows that are no longer Normal or Test, parts taken back, and
 * reinstatements. A reinstatement lowers the counts of reversed rows and of statuses by one each, and counts three
 * times as a part, so the sum only increases. The lower half reflects the status of reversed rows, which can change again.
 */
export const movesOfCells = sql`
  (sum((all_count + reversed_count + part_count + refund_count + fraud_count + chargeback_count) * 4294967296 + fraud_count + 2 * chargeback_count))`;

export const moneySums = sql`
  coalesce(sum(row_count), 0) as row_count, coalesce(sum(gross_minor), 0) as gross_minor,
  coalesce(sum(share_minor), 0) as share_minor, coalesce(sum(reversed_count), 0) as reversed_count,
  coalesce(sum(reversed_gross_minor), 0) as reversed_gross_minor,
  coalesce(sum(reversed_share_minor), 0) as reversed_share_minor`;
export const statusSums = sql`
  coalesce(sum(all_count), 0) as all_count, coalesce(sum(test_count), 0) as test_count,
  coalesce(sum(refund_count), 0) as refund_count, coalesce(sum(fraud_count), 0) as fraud_count,
  coalesce(sum(chargeback_count), 0) as chargeback_count`;
