import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../../attributions/posted.ts';
import { lockGroupMembers } from '../../members/lock-members.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { ObjectiveId } from '../../platform/database/tables.generated.ts';
import { addContributions } from './add-contributions.ts';
import { countedPurchases, saveFirstPurchases } from './counted-purchases.ts';

/**
 * Recounts objectives from all rows that are posted and not reversed. Counted events within the window stay
 * counted, because their partitions may have been dropped. Stored events that weren't counted are added. The
 * caller must have locked out posting, so that no row is missed or counted twice. A concurrent reversal
 * either waits for the locks on the members or is already visible.
 */
export async function recount(
  tx: Tx,
  publisherId: string,
  groupId: string,
  objectiveIds: readonly ObjectiveId[],
): Promise<void> {
  if (objectiveIds.length === 0) return;
  await lockGroupMembers(tx, publisherId, groupId);
  const ids = sql`${[...objectiveIds]}::text[]`;
  await deleteContributions(tx, publisherId, ids);
  const window = sql`
    a.publisher_id = ${publisherId} and a.group_id = ${groupId} and not a.is_test and ${isPosted(publisherId, 'a')}
    and a.transaction_date >= (select min(b.starts_at)
                               from bounty b
                               join bounty_objective o on o.publisher_id = ${publisherId} and o.bounty_id = b.bounty_id
                               where b.publisher_id = ${publisherId} and o.objective_id = any(${ids}))`;
  await addContributions(
    tx,
    publisherId,
    countedPurchases({
      publisherId,
      rows: sql`attribution a`,
      condition: window,
      countsNewPlayers: true,
      objectives: sql`o.objective_id = any(${ids})`,
    }),
  );
  await addContributions(
    tx,
    publisherId,
    sql`
      select o.objective_id, e.membership_id, e.event_id as source_id, '{}'::uuid[] as row_ids, 1 as value, e.occurred_at
      from bounty_objective o
      join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = o.bounty_id
      join bounty_event e
        on e.publisher_id = ${publisherId} and e.group_id = b.group_id and e.event_code = o.event_code
       and e.occurred_at >= b.starts_at and (b.ends_at is null or e.occurred_at < b.ends_at)
      where o.publisher_id = ${publisherId} and o.removed_at is null and o.objective_id = any(${ids})`,
  );
}

/**
 * Deletes the objectives' contributions, except contributions from events within the window, and recomputes
 * the totals.
 */
async function deleteContributions(tx: Tx, publisherId: string, ids: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from bounty_contribution c
    using bounty_objective o
    join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = o.bounty_id
    where c.publisher_id = ${publisherId} and c.objective_id = any(${ids})
      and o.publisher_id = ${publisherId} and o.objective_id = c.objective_id
      and (c.occurred_at is null or c.occurred_at < b.starts_at or c.occurred_at >= b.ends_at)`.execute(tx);
  await sql`delete from bounty_total where publisher_id = ${publisherId} and objective_id = any(${ids})`.execute(
    tx,
  );
  await sql`
    insert into bounty_total (publisher_id, objective_id, membership_id, total)
    select ${publisherId}, objective_id, membership_id, sum(value)
    from bounty_contribution
    where publisher_id = ${publisherId} and objective_id = any(${ids})
    group by objective_id, membership_id`.execute(tx);
}

/**
 * Saves the first purchases of all players. Must run before the publisher's first objective that counts new
 * players is saved. From then on, posting saves first purchases.
 */
export async function backfillFirstPurchases(tx: Tx, publisherId: string): Promise<void> {
  const { rows } = await sql`
    select 1 from bounty_objective where publisher_id = ${publisherId} and type = 'NewPlayers' limit 1`.execute(
    tx,
  );
  if (rows.length > 0) return;
  const posted = sql`
    (select * from attribution where publisher_id = ${publisherId} and not is_test and ${isPosted(publisherId, 'attribution')}) a`;
  await saveFirstPurchases(tx, publisherId, posted);
}
