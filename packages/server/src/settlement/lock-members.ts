import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';

/**
 * Locks memberships and those they were merged into, in the order of their ids, which payouts and merges keep too.
 * It is a statement of its own, so that the next one sees what those before it committed.
 * @param named a query of membership_id
 */
export async function lockMembers(tx: Tx, publisherId: string, named: RawBuilder<unknown>): Promise<void> {
  const locked = await lock(
    tx,
    publisherId,
    sql`
      with named as (${named})
      select membership_id from named
      union
      select m.merged_into
      from named
      join membership m on m.publisher_id = ${publisherId} and m.membership_id = named.membership_id
      where m.merged_into is not null`,
  );
  // Merged while this waited for its lock. Held, a membership is merged nowhere else.
  const ids = new Set(locked.map(({ membership_id }) => membership_id));
  const late = locked.flatMap(({ merged_into }) =>
    merged_into === null || ids.has(merged_into) ? [] : [merged_into],
  );
  if (late.length > 0) await lock(tx, publisherId, sql`select unnest(${late}::uuid[])`);
}

async function lock(tx: Tx, publisherId: string, ids: RawBuilder<unknown>) {
  const { rows } = await sql<{ membership_id: MembershipId; merged_into: MembershipId | null }>`
    select membership_id, merged_into
    from membership
    where publisher_id = ${publisherId} and membership_id = any(array(${ids}))
    order by membership_id
    for no key update`.execute(tx);
  return rows;
}
