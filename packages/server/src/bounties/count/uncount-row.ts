import { sql } from 'kysely';
import { standing } from '../../members/standing.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';

interface UncountedPart {
  attributionId: AttributionId;
  /** Part of the subtotal; null for all of it. */
  grossMinor: bigint | null;
  /** True if nothing is left of the row. */
  isLast: boolean;
}

/**
 * Removes a part of a row from open bounties. A purchase counts until nothing is left of its rows; a part only
 * lowers the amounts. Completions are kept. The caller must have locked the row's membership and the membership into
 * which that membership was merged. `offset 0` makes the planner look up rows by key, because there may be
 * millions of rows.
 */
export async function uncountRow(
  tx: Tx,
  publisherId: string,
  { attributionId, grossMinor, isLast }: UncountedPart,
  now: Date,
): Promise<void> {
  await sql`
    with counted as (
      select c.objective_id, c.membership_id, c.source_id, ${isLast ? sql`array_remove(c.row_ids, a.attribution_id)` : sql`c.row_ids`} as row_ids,
             case when o.condition = 'Amount' then coalesce(${grossMinor}::bigint, a.subtotal_minor)
                  when ${isLast} and cardinality(c.row_ids) = 1 then 1
                  else 0 end as value
      from (
        select a.attribution_id, a.group_id, a.transaction_id, a.subtotal_minor,
               ${standing('m')} as membership_id
        from attribution a
        join membership m on m.publisher_id = ${publisherId} and m.membership_id = a.membership_id
        where a.publisher_id = ${publisherId} and a.attribution_id = ${attributionId}::uuid
        offset 0
      ) a
      join bounty b
        on b.publisher_id = ${publisherId} and b.group_id = a.group_id and (b.ends_at is null or b.ends_at > ${now})
      join bounty_objective o
        on o.publisher_id = ${publisherId} and o.bounty_id = b.bounty_id and o.type <> 'Event'
      cross join lateral (
        select c.objective_id, c.membership_id, c.source_id, c.row_ids
        from bounty_contribution c
        where c.publisher_id = ${publisherId} and c.objective_id = o.objective_id and c.membership_id = a.membership_id
          and c.source_id = a.transaction_id
        offset 0
      ) c
      where a.attribution_id = any(c.row_ids)
    ),
    emptied as (
      delete from bounty_contribution c
      using counted n
      where c.publisher_id = ${publisherId} and c.objective_id = n.objective_id and c.membership_id = n.membership_id
        and c.source_id = n.source_id and n.row_ids = '{}'
    ),
    lessened as (
      update bounty_contribution c
      set row_ids = n.row_ids, value = c.value - n.value
      from counted n
      where c.publisher_id = ${publisherId} and c.objective_id = n.objective_id and c.membership_id = n.membership_id
        and c.source_id = n.source_id and n.row_ids <> '{}'
    )
    update bounty_total t
    set total = t.total - n.value
    from counted n
    where t.publisher_id = ${publisherId} and t.objective_id = n.objective_id and t.membership_id = n.membership_id`.execute(
    tx,
  );
}
