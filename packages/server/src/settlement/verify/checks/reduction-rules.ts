import { type RawBuilder, sql } from 'kysely';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { rule } from './rules.ts';

/**
 * Returns the payouts with a reduction that doesn't lower a previewed amount, and the payouts of pay runs whose
 * confirmed total isn't the paid amount plus the reductions. While a payout is being created, it may have reductions
 * without their lines.
 */
export const brokenReductions = (
  publisherId: string,
  batchIds: readonly PayoutBatchId[],
): RawBuilder<unknown> => sql`
  select ${rule('reduction')} as rule, 'payout ' || b.batch_id as row
  from payout_batch b
  left join lateral (
    select sum(r.previewed_minor - coalesce(i.amount_minor, 0)) as reduced,
           bool_and(r.previewed_minor > coalesce(i.amount_minor, 0) and m.membership_id is not null) as is_explained
    from payout_reduction r
    left join payout_item i
      on i.publisher_id = ${publisherId} and i.batch_id = b.batch_id and i.membership_id = r.membership_id
    left join membership m
      on m.publisher_id = ${publisherId} and m.membership_id = r.membership_id and m.group_id = b.group_id
    where r.publisher_id = ${publisherId} and r.batch_id = b.batch_id
  ) falls on true
  left join pay_run_line l on l.publisher_id = ${publisherId} and l.payout_batch_id = b.batch_id
  where b.publisher_id = ${publisherId} and b.batch_id = any(${[...batchIds]}::uuid[])
    and b.status <> 'Preparing' and not b.was_undone
    and (falls.is_explained is false or l.total_minor <> b.total_minor + coalesce(falls.reduced, 0))`;
