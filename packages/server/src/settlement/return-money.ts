import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { posting } from './ledger.ts';

/** Part of a posted row's money that is taken back, or given back by a reinstatement. */
export interface TakenPart {
  attributionId: AttributionId;
  /**
   * Subject of the ledger entry: the refund record for a part, the row itself if the row is taken back whole, and
   * the reinstatement if money is given back.
   */
  subjectId: string;
  /** Part of the subtotal; null for all of it. */
  grossMinor: bigint | null;
  /** Part of the share; null for all of it. */
  shareMinor: bigint | null;
  /** True if nothing of the row is left; for a reinstatement, true if nothing of it was left before. */
  isLast: boolean;
}

/**
 * Takes money back: writes a ledger entry for each part, lowers the balances, and counts the parts in the sums
 * by day. A row counts as reversed once nothing of it is left. A reinstatement does the opposite, and lowers the
 * mark of a member whose row becomes payable again. The caller has locked the rows' members.
 */
export async function returnMoney(
  tx: Tx,
  publisherId: string,
  parts: readonly TakenPart[],
  kind: 'refund' | 'adjustment' | 'reinstatement',
): Promise<void> {
  if (parts.length === 0) return;
  const isGivenBack = kind === 'reinstatement';
  const sign = isGivenBack ? sql`-1` : sql`1`;
  await sql`
    with returned as materialized (
      select part.subject_id, ${kind}::text as kind, a.group_id, a.membership_id, a.code, a.currency,
             ${sign} * coalesce(part.gross_minor, a.subtotal_minor) as gross_minor,
             -(${sign} * coalesce(part.share_minor, a.share_minor)) as amount_minor,
             case when part.gross_minor is null then 0 else ${isGivenBack ? countOfReinstatement : sql`1`} end as part_count,
             case when part.is_last then ${sign} else 0 end as last_count,
             ${isGivenBack ? payableFrom(publisherId) : sql`null::timestamptz`} as payable_from,
             (a.transaction_date at time zone 'UTC')::date as day
      from unnest(
        ${parts.map(({ attributionId }) => attributionId)}::uuid[],
        ${parts.map(({ subjectId }) => subjectId)}::uuid[],
        ${parts.map(({ grossMinor }) => grossMinor)}::bigint[],
        ${parts.map(({ shareMinor }) => shareMinor)}::bigint[],
        ${parts.map(({ isLast }) => isLast)}::boolean[]
      ) as part (attribution_id, subject_id, gross_minor, share_minor, is_last)
      cross join lateral (
        select attribution_id, group_id, membership_id, code, currency, subtotal_minor, share_minor, transaction_date
        from attribution
        where publisher_id = ${publisherId} and attribution_id = part.attribution_id
        offset 0
      ) a
    ),
    ${posting(publisherId, 'returned', sql`min(payable_from)`)},
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

/**
 * Count of a reinstatement in part_count. It is more than one, because a reinstatement lowers two other counts, and
 * their sum must only increase (verify/checks/moves.ts).
 */
const countOfReinstatement = sql`3`;

/** Returns the date of a row that a payout can pay; null for a row in a payout. */
const payableFrom = (publisherId: string): RawBuilder<unknown> => sql`
  case when not exists (
    select 1
    from payment p
    where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
      and (p.payout_batch_id is not null or p.payout_payment_id is not null)
  ) then a.transaction_date end`;

const sums = sql`
  sum(last_count) as last_count, sum(part_count) as part_count, sum(gross_minor) as gross_minor,
  sum(amount_minor) as amount_minor`;

const withReversal = (rollup: string): RawBuilder<unknown> => sql`
  reversed_count = ${sql.ref(`${rollup}.reversed_count`)} + r.last_count,
  reversed_gross_minor = ${sql.ref(`${rollup}.reversed_gross_minor`)} + r.gross_minor,
  reversed_share_minor = ${sql.ref(`${rollup}.reversed_share_minor`)} - r.amount_minor`;
