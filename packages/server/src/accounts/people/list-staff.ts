import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import { isRole, type Role, roleVersion } from '../roles.ts';

export interface ListedPerson {
  userId: string;
  name: string;
  email: string;
  role: Role;
  invitedBy: string;
  joinedAt: Date;
  /** Null if the person has no session. */
  lastSeenAt: Date | null;
  /** True if the person has an authenticator app or a passkey. */
  hasSecondFactor: boolean;
  /** Version of the role, used to detect stale edits. */
  version: string;
}

interface Row {
  user_id: string;
  name: string;
  email: string;
  role: string;
  invited_by: string;
  joined_at: Date;
  last_seen_at: Date | null;
  has_second_factor: boolean;
}

/** Maximum number of people returned. The screen shows all of them at once. */
const maxPeople = 1_000;

/** Returns a publisher's staff, ordered by name. @throws Refusal NotFound for an unknown publisher */
export async function listStaff(db: Db, publisherId: string): Promise<ListedPerson[]> {
  const { rows } = await sql<Row>`
    select f.user_id, f.role, f.invited_by, f.joined_at, u.name, u.email,
           (select max(s.last_seen_at) from staff_session s where s.user_id = f.user_id) as last_seen_at,
           u.two_factor_enabled or exists (select 1 from staff_passkey k where k.user_id = f.user_id) as has_second_factor
    from staff f
    join staff_user u on u.id = f.user_id
    where f.publisher_id = ${publisherId}
    order by lower(u.name), u.email
    limit ${maxPeople}`.execute(db);
  if (rows.length === 0) await requirePublisher(db, publisherId);
  return rows.flatMap(({ role, ...row }) =>
    isRole(role)
      ? [
          {
            userId: row.user_id,
            name: row.name,
            email: row.email,
            role,
            invitedBy: row.invited_by,
            joinedAt: row.joined_at,
            lastSeenAt: row.last_seen_at,
            hasSecondFactor: row.has_second_factor,
            version: roleVersion(role),
          },
        ]
      : [],
  );
}
