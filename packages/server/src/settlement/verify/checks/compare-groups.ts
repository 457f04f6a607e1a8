import { sql } from 'kysely';
import type { Check } from './check.ts';
import { moneySums, statusSums } from './moves.ts';
import type { Day } from './read-days.ts';
import { type Finding, firstFinding, rule } from './rules.ts';

/**
 * Compares the groups' rollups for the given days with their members' rollups: money by currency and counts by status.
 * @returns the first difference, or null
 */
export async function compareGroups(check: Check, days: readonly Day[]): Promise<Finding | null> {
  const { snapshots, publisherId } = check;
  const named = sql`unnest(${days.map(({ groupId }) => groupId)}::text[], ${days.map(({ day }) => day)}::date[])`;
  const { finding } = await snapshots.read(snapshots.rows, async (tx) => ({
    finding: await firstFinding(
      tx,
      sql`
        select ${rule('group')} as rule,
               'group ' || d.group_id || ' on ' || to_char(d.day, 'YYYY-MM-DD') || ' in ' || currency as row
        from ${named} as d (group_id, day)
        cross join lateral (
          select coalesce(e.currency, g.currency) as currency
          from (
            select currency, ${moneySums}
            from earning_rollup
            where publisher_id = ${publisherId} and group_id = d.group_id and day = d.day
            group by currency
          ) e
          full join (
            select *
            from group_rollup
            where publisher_id = ${publisherId} and group_id = d.group_id and day = d.day
          ) g on g.currency = e.currency
          where (coalesce(e.row_count, 0), coalesce(e.gross_minor, 0), coalesce(e.share_minor, 0),
                 coalesce(e.reversed_count, 0), coalesce(e.reversed_gross_minor, 0), coalesce(e.reversed_share_minor, 0))
            is distinct from
                (coalesce(g.row_count, 0), coalesce(g.gross_minor, 0), coalesce(g.share_minor, 0),
                 coalesce(g.reversed_count, 0), coalesce(g.reversed_gross_minor, 0), coalesce(g.reversed_share_minor, 0))
        ) differs
        union all
        select ${rule('group')}, 'group ' || d.group_id || ' on ' || to_char(d.day, 'YYYY-MM-DD')
        from ${named} as d (group_id, day)
        cross join lateral (
          select ${statusSums}
          from earning_rollup
          where publisher_id = ${publisherId} and group_id = d.group_id and day = d.day
        ) e
        cross join lateral (
          select ${statusSums}
          from transaction_count
          where publisher_id = ${publisherId} and group_id = d.group_id
            and hour >= d.day::timestamp at time zone 'UTC' and hour < (d.day + 1)::timestamp at time zone 'UTC'
        ) t
        where (e.all_count, e.test_count, e.refund_count, e.fraud_count, e.chargeback_count)
          is distinct from (t.all_count, t.test_count, t.refund_count, t.fraud_count, t.chargeback_count)`,
    ),
    taken: days.reduce((sum, { cells }) => sum + cells, 0),
  }));
  return finding;
}
