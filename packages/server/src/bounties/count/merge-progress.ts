import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';

/**
 * Merges the bounty progress of one membership into that of another in the same group. Contributions and
 * totals are added up, and a purchase that credited both memberships counts once. Completions move with their
 * rewards and are renumbered. The merge itself completes no bounty; the next check does. The caller must hold
 * the posting lock and the locks on both memberships.
 */
export async function mergeProgress(
  tx: Tx,
  publisherId: string,
  fromMembershipId: MembershipId,
  intoMembershipId: MembershipId,
): Promise<void> {
  const objectives = sql`(
    select o.objective_id
    from bounty_progress p
    join bounty_objective o on o.publisher_id = ${publisherId} and o.bounty_id = p.bounty_id
    where p.publisher_id = ${publisherId} and p.membership_id = ${fromMembershipId}::uuid)`;
  await sql`
    update bounty_contribution c
    set row_ids = c.row_ids || moved.row_ids,
        value = case o.condition when 'Amount' then c.value + moved.value else 1 end
    from bounty_contribution moved
    join bounty_objective o on o.publisher_id = ${publisherId} and o.objective_id = moved.objective_id
    where moved.publisher_id = ${publisherId} and moved.membership_id = ${fromMembershipId}::uuid
      and moved.objective_id in ${objectives}
      and c.publisher_id = ${publisherId} and c.membership_id = ${intoMembershipId}::uuid
      and c.objective_id = moved.objective_id and c.source_id = moved.source_id`.execute(tx);
  await sql`
    with moved as (
      delete from bounty_contribution
      where publisher_id = ${publisherId} and membership_id = ${fromMembershipId}::uuid and objective_id in ${objectives}
      returning objective_id, source_id, row_ids, value, occurred_at
    )
    insert into bounty_contribution (publisher_id, objective_id, membership_id, source_id, row_ids, value, occurred_at)
    select ${publisherId}, objective_id, ${intoMembershipId}::uuid, source_id, row_ids, value, occurred_at from moved
    on conflict (publisher_id, objective_id, membership_id, source_id) do nothing`.execute(tx);
  await sql`
    delete from bounty_total
    where publisher_id = ${publisherId} and objective_id in ${objectives}
      and membership_id in (${fromMembershipId}::uuid, ${intoMembershipId}::uuid)`.execute(tx);
  await sql`
    insert into bounty_total (publisher_id, objective_id, membership_id, total)
    select ${publisherId}, objective_id, membership_id, sum(value)
    from bounty_contribution
    where publisher_id = ${publisherId} and membership_id = ${intoMembershipId}::uuid and objective_id in ${objectives}
    group by objective_id, membership_id`.execute(tx);
  await mergeCompletions(tx, publisherId, fromMembershipId, intoMembershipId);
  await sql`
    update bounty_event
    set membership_id = ${intoMembershipId}::uuid
    where publisher_id = ${publisherId} and membership_id = ${fromMembershipId}::uuid`.execute(tx);
  await sql`
    update bounty_progress
    set needs_check = true
    where publisher_id = ${publisherId} and membership_id = ${intoMembershipId}::uuid`.execute(tx);
}

async function mergeCompletions(
  tx: Tx,
  publisherId: string,
  fromId: MembershipId,
  intoId: MembershipId,
): Promise<void> {
  // If the target membership has no progress toward a bounty, the progress row of the merged membership moves
  // with its id.
  await sql`
    update bounty_progress p
    set membership_id = ${intoId}::uuid
    where p.publisher_id = ${publisherId} and p.membership_id = ${fromId}::uuid
      and not exists (select 1 from bounty_progress kept
                      where kept.publisher_id = ${publisherId} and kept.membership_id = ${intoId}::uuid
                        and kept.bounty_id = p.bounty_id)`.execute(tx);
  const both = sql`
    bounty_progress merged
    join bounty_progress kept
      on kept.publisher_id = ${publisherId} and kept.membership_id = ${intoId}::uuid and kept.bounty_id = merged.bounty_id`;
  const ofBoth = sql`merged.publisher_id = ${publisherId} and merged.membership_id = ${fromId}::uuid`;
  await sql`
    update bounty_completion c
    set progress_id = kept.progress_id, number = c.number + kept.completion_count
    from ${both}
    where ${ofBoth} and c.publisher_id = ${publisherId} and c.progress_id = merged.progress_id`.execute(tx);
  await sql`
    update bounty_progress p
    set completion_count = p.completion_count + merged.completion_count
    from bounty_progress merged
    where ${ofBoth} and p.publisher_id = ${publisherId} and p.membership_id = ${intoId}::uuid
      and p.bounty_id = merged.bounty_id`.execute(tx);
  await sql`
    delete from bounty_progress
    where publisher_id = ${publisherId} and membership_id = ${fromId}::uuid`.execute(tx);
}
