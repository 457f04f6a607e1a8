import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { posting } from './ledger.ts';

/** Part of a posted row's money that is taken back. */
export interface TakenPart {
  attributionId: AttributionId;
  /** Subject of the ledger entry: the refund record for a part, and the row itself if the row is taken back whole. */
  subjectId: string;
  /** Part of the subtotal; null for all of it. */
  grossMinor: bigint | null;
  /** Part of the share; null for all of it. */
  shareMinor: bigint | null;
  /** True if nothing is left of the row. */
  isLast: boolean;
}

/**
 * Takes money back: writes a ledger entry for each part, lowers the balances, and counts the parts in the sums
 * by day. A row counts as reversed once nothing is left of it. The caller has locked the rows' members.
 */
export async function returnMoney(
  tx: Tx,
  publisherId: string,
  parts: readonly TakenPart[],
  kind: 'refund' | 'adjustment',
): Promise<void> {
  if (parts.length === 0) return;
  await sql`
    with returned as materialized (
      select part.subject_id, ${kind}::text as kind, a.group_id, a.membership_id, a.code, a.currency,
             coalesce(part.gross_minor, a.subtotal_minor) as gross_minor,
             -coalesce(part.share_minor, a.share_minor) as amount_minor,
             part.gross_minor is not null as is_part, part.is_last,
             (a.transaction_date at time zone 'UTC')::date as day
      from unnest(
        ${parts.map(({ attributionId }) => attributionId)}::uuid[],
        ${parts.map(({ subjectId }) => subjectId)}::uuid[],
        ${parts.map(({ grossMinor }) => grossMinor)}::bigint[],
        ${parts.map(({ shareMinor }) => shareMinor)}::bigint[],
        ${parts.map(({ isLast }) => isLast)}::boolean[]
      ) as part (attribution_id, subject_id, gross_minor, share_minor, is_last)
      cross join lateral (
        select group_id, membership_id, code, currency, subtotal_minor, share_minor, transaction_date
        from attribution
        where publisher_id = ${publisherId} and attribution_id = part.attribution_id
        offset 0
      ) a
    ),
    ${posting(publisherId, 'returned')},
    of_days as materialized (
      select group_id, membership_id, code, currency, day, ${sums}
      from returned
      group by group_id, membership_id, code, currency, day
    ),
    of_member as (
      update earning_rollup e
      set ${withReversal('e')}, part_count = e.part_count + r.part_count
      from of_days r
      where e.publisher_id = ${publisherId} and e.membership_id = r.membership_id and e.day = r.day and e.code = r.code
        and e.currency = r.currency
      returning 1
    ),
    of_group_days as materialized (
      select group_id, currency, day, ${sums} from returned group by group_id, currency, day
    )
    update group_rollup g
    set ${withReversal('g')}
    from of_group_days r
    where g.publisher_id = ${publisherId} and g.group_id = r.group_id and g.day = r.day and g.currency = r.currency
      and (select count(*) from of_member) >= 0 -- runs after of_member, in the order of posting`.execute(tx);
}

const sums = sql`
  count(*) filter (where is_last) as last_count, count(*) filter (where is_part) as part_count,
  sum(gross_minor) as gross_minor, sum(amount_minor) as amount_minor`;

const withReversal = (rollup: string): RawBuilder<unknown> => sql`
  reversed_count = ${sql.ref(`${rollup}.reversed_count`)} + r.last_count,
  reversed_gross_minor = ${sql.ref(`${rollup}.reversed_gross_minor`)} + r.gross_minor,
  reversed_share_minor = ${sql.ref(`${rollup}.reversed_share_minor`)} - r.amount_minor`;
