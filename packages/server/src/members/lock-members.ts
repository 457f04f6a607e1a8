import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';
import { mergedInto, stands } from './standing.ts';

/* Functions that lock memberships. They all lock in id order, so that transactions can't deadlock. */

export type MemberStatus = 'Approved' | 'Pending' | 'Removed';

export interface LockedMembership {
  membershipId: MembershipId;
  status: MemberStatus;
}

/**
 * Locks memberships and those they were merged into. Runs as a separate statement, so that the next one sees changes
 * committed by earlier lock holders.
 * @param memberships query that returns membership_id
 */
export async function lockMembers(
  tx: Tx,
  publisherId: string,
  memberships: RawBuilder<unknown>,
): Promise<void> {
  const locked = await lock(
    tx,
    publisherId,
    sql`
      with named as (${memberships})
      select membership_id from named
      union
      select ${mergedInto('m')}
      from named
      join membership m on m.publisher_id = ${publisherId} and m.membership_id = named.membership_id
      where not (${stands('m')})`,
  );
  // Locks the targets of merges that were committed during the wait. A locked membership can no longer be merged.
  const ids = new Set(locked.map(({ membership_id }) => membership_id));
  const late = locked.flatMap(({ merged_into }) =>
    merged_into === null || ids.has(merged_into) ? [] : [merged_into],
  );
  if (late.length > 0) await lock(tx, publisherId, sql`select unnest(${late}::uuid[])`);
}

/** Locks memberships, but not those they were merged into. */
export async function lockMemberships(
  tx: Tx,
  publisherId: string,
  membershipIds: readonly MembershipId[],
): Promise<LockedMembership[]> {
  const rows = await lock(tx, publisherId, sql`select unnest(${[...membershipIds]}::uuid[])`);
  return rows.map(({ membership_id, status }) => ({ membershipId: membership_id, status }));
}

export async function lockGroupMembers(tx: Tx, publisherId: string, groupId: string): Promise<void> {
  await sql`
    select 1
    from membership
    where publisher_id = ${publisherId} and group_id = ${groupId}
    order by membership_id
    for no key update`.execute(tx);
}

/**
 * Locks memberships that will be moved to another account or merged into another membership. The stronger lock also
 * blocks new references to them.
 * @param memberships query that returns membership_id
 */
export async function lockToMove(
  tx: Tx,
  publisherId: string,
  memberships: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    select 1
    from membership
    where publisher_id = ${publisherId} and membership_id = any(array(${memberships}))
    order by membership_id
    for update`.execute(tx);
}

async function lock(tx: Tx, publisherId: string, ids: RawBuilder<unknown>) {
  const { rows } = await sql<{
    membership_id: MembershipId;
    merged_into: MembershipId | null;
    status: MemberStatus;
  }>`
    select membership_id, merged_into, status
    from membership
    where publisher_id = ${publisherId} and membership_id = any(array(${ids}))
    order by membership_id
    for no key update`.execute(tx);
  return rows;
}
