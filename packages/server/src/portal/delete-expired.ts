import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { isAlive } from './sessions.ts';

const dayMs = 86_400_000;
/** Number of days for which an expired invitation still says that it has expired. */
const invitationDays = 90;

/** Deletes ended sessions, expired attempts, codes that expired a day ago, and old invitations. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await sql`delete from portal_session s where not ${isAlive(now)}`.execute(db);
  await sql`delete from portal_confirmation where expires_at < ${new Date(now.getTime() - dayMs)}`.execute(
    db,
  );
  await sql`delete from portal_attempt where expires_at < ${now}`.execute(db);
  await sql`delete from portal_code where expires_at < ${new Date(now.getTime() - dayMs)}`.execute(db);
  await sql`
    delete from portal_invitation
    where expires_at < ${new Date(now.getTime() - invitationDays * dayMs)}`.execute(db);
}
