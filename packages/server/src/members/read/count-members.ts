import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { MemberStatus } from '../lock-members.ts';
import { stands } from '../standing.ts';

/** Maximum exact count. Above it, screens show "250+", because an exact count would have to read all rows. */
export const maxCounted = 250;

/** Number of members, exact up to `maxCounted`. */
export interface BoundedCount {
  atLeast: number;
  /** True if `atLeast` is the exact number. */
  isExact: boolean;
}

/** Counts a publisher's or group's members by status, up to `maxCounted` each. */
export async function countMembers(
  db: Db,
  publisherId: string,
  groupId?: string,
): Promise<Record<MemberStatus, BoundedCount>> {
  const ofStatus = (status: MemberStatus) => sql`
    (select count(*)
     from (
       select 1
       from membership m
       where m.publisher_id = ${publisherId} and m.status = ${status} and ${stands('m')}
         ${groupId === undefined ? sql`` : sql`and m.group_id = ${groupId}`}
       limit ${maxCounted + 1}
     ) counted)::integer`;
  const { rows } = await sql<{ approved: number; pending: number; removed: number }>`
    select ${ofStatus('Approved')} as approved, ${ofStatus('Pending')} as pending, ${ofStatus('Removed')} as removed`.execute(
    db,
  );
  const { approved = 0, pending = 0, removed = 0 } = rows[0] ?? {};
  return { Approved: bounded(approved), Pending: bounded(pending), Removed: bounded(removed) };
}

const bounded = (count: number): BoundedCount => ({
  atLeast: Math.min(count, maxCounted),
  isExact: count <= maxCounted,
});
