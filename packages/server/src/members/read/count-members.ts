import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { MemberStatus } from '../lock-members.ts';
import { stands } from '../standing.ts';

/** People read "250+": nobody needs to know how many more, and counting all of them would read all of them. */
export const maxCounted = 250;

/** How many members there are, or at least. */
export interface BoundedCount {
  atLeast: number;
  /** Whether it is the number itself. */
  isExact: boolean;
}

/** How many members a publisher, or one of its groups, has of each status, up to `maxCounted`. */
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
