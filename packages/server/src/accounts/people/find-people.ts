import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { isRole, type Role } from '../roles.ts';

export interface FoundPerson {
  userId: string;
  name: string;
  email: string;
  role: Role;
}

/**
 * Returns the staff who may see a publisher's data, or one of them. If the publisher requires a second
 * factor, staff without one are left out.
 * @param userId null for all staff, at most 1,000
 */
export async function findPeople(
  db: Db,
  publisherId: string,
  userId: string | null = null,
): Promise<FoundPerson[]> {
  const { rows } = await sql<{ user_id: string; name: string; email: string; role: string }>`
    select f.user_id, f.role, u.name, u.email
    from staff f
    join staff_user u on u.id = f.user_id
    left join staff_rules r on r.publisher_id = ${publisherId}
    where f.publisher_id = ${publisherId} and (${userId}::text is null or f.user_id = ${userId})
      and (not coalesce(r.demands_two_factor, false) or u.two_factor_enabled
           or exists (select 1 from staff_passkey k where k.user_id = f.user_id))
    order by f.user_id
    limit ${maxPeople}`.execute(db);
  return rows.flatMap(({ user_id: id, name, email, role }) =>
    isRole(role) ? [{ userId: id, name, email, role }] : [],
  );
}

const maxPeople = 1_000;
