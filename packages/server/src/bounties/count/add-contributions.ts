import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';

/**
 * Inserts contributions, adds them to the totals, creates missing progress rows for members, and marks the
 * progress for checking. Contributions that already exist add nothing. The caller must have locked the
 * memberships. These locks also protect the members' progress.
 * @param counted query that returns objective_id, membership_id, source_id, row_ids, value and occurred_at
 *   (for events), with one row per contribution
 */
export async function addContributions(
  tx: Tx,
  publisherId: string,
  counted: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with counted as (${counted}),
    contributed as (
      insert into bounty_contribution (publisher_id, objective_id, membership_id, source_id, row_ids, value, occurred_at)
      select ${publisherId}, objective_id, membership_id, source_id, row_ids, value, occurred_at
      from counted
      order by objective_id, membership_id, source_id
      on conflict (publisher_id, objective_id, membership_id, source_id) do nothing
      returning objective_id, membership_id, value
    ),
    added as (
      select objective_id, membership_id, sum(value) as value from contributed group by objective_id, membership_id
    ),
    totals as (
      insert into bounty_total as t (publisher_id, objective_id, membership_id, total)
      select ${publisherId}, objective_id, membership_id, value
      from added
      order by objective_id, membership_id
      on conflict (publisher_id, objective_id, membership_id) do update set total = t.total + excluded.total
    )
    insert into bounty_progress (publisher_id, bounty_id, membership_id, needs_check)
    select distinct ${publisherId}, o.bounty_id, a.membership_id, true
    from added a
    join bounty_objective o on o.publisher_id = ${publisherId} and o.objective_id = a.objective_id
    order by o.bounty_id, a.membership_id
    on conflict (publisher_id, bounty_id, membership_id) do update set needs_check = true`.execute(tx);
}
