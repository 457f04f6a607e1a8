import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { cookiePrefix } from './open-auth.ts';

/** A session that nobody used for so long has ended. */
export const idleMs = 12 * 3_600_000;
/** How often it is noted that a session is in use. */
const notedEveryMs = 60_000;

export interface Session {
  userId: string;
  sessionId: string;
  name: string;
  email: string;
  /** When a password, a passkey or a code was last shown in it. */
  confirmedAt: Date;
  hasSecondFactor: boolean;
}

interface SessionRow {
  session_id: string;
  user_id: string;
  name: string;
  email: string;
  confirmed_at: Date;
  last_seen_at: Date;
  has_second_factor: boolean;
}

/**
 * @param cookies the request's Cookie header
 * @returns the session that a cookie of ours names; null for none, a forged one, and one that has ended
 */
export async function readSession(
  db: Db,
  { cookies, origin, secret, now }: { cookies: string; origin: string; secret: string; now: Date },
): Promise<Session | null> {
  const token = signedValue(cookies, cookiePrefix(origin), secret);
  if (token === null) return null;
  const { rows } = await sql<SessionRow>`
    select s.id as session_id, s.confirmed_at, s.last_seen_at, s.has_second_factor, u.id as user_id, u.name, u.email
    from staff_session s
    join staff_user u on u.id = s.user_id
    where s.token = ${token} and ${isAlive(now)}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  if (now.getTime() - row.last_seen_at.getTime() >= notedEveryMs)
    await sql`update staff_session set last_seen_at = ${now} where id = ${row.session_id}`.execute(db);
  return {
    userId: row.user_id,
    sessionId: row.session_id,
    name: row.name,
    email: row.email,
    confirmedAt: row.confirmed_at,
    hasSecondFactor: row.has_second_factor,
  };
}

/** Of `staff_session s`: neither a week old nor unused for twelve hours. */
export const isAlive = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(s.expires_at > ${now} and s.last_seen_at > ${new Date(now.getTime() - idleMs)})`;

/** The value of a cookie that the library signed: `value.signature`, percent-encoded; null for any other. */
function signedValue(cookies: string, name: string, secret: string): string | null {
  for (const each of cookies.split(';')) {
    const [key, ...rest] = each.split('=');
    if (key?.trim() !== name) continue;
    const text = decoded(rest.join('=').trim());
    const dot = text.lastIndexOf('.');
    if (dot < 1) return null;
    const value = text.slice(0, dot);
    const expected = createHmac('sha256', secret).update(value).digest();
    const sent = Buffer.from(text.slice(dot + 1), 'base64');
    return sent.length === expected.length && timingSafeEqual(sent, expected) ? value : null;
  }
  return null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export async function endSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('staff_session').where('id', '=', sessionId).execute();
}

/** Takes away sessions that have ended, and what was under way and was left. Both tables are as large as the staff is. */
export async function forgetEnded(db: Db, now: Date): Promise<void> {
  await sql`delete from staff_session s where not ${isAlive(now)}`.execute(db);
  await sql`delete from staff_verification where expires_at < ${now}`.execute(db);
}
