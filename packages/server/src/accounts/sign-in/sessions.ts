import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { cookiePrefix } from './cookie-names.ts';
import { readCookies, withoutCookies } from './read-cookies.ts';

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
  token: string;
  session_id: string;
  user_id: string;
  name: string;
  email: string;
  confirmed_at: Date;
  last_seen_at: Date;
  has_second_factor: boolean;
}

export interface SessionLookUp {
  /** The request's Cookie header. */
  cookies: string;
  origin: string;
  secret: string;
  now: Date;
}

/**
 * Finds the session of a request. Of several cookies of our name the first counts that opens one.
 * @returns null for none, a forged one, and one that has ended
 */
export async function readSession(db: Db, asked: SessionLookUp): Promise<Session | null> {
  const row = await findSession(db, asked);
  if (row === null) return null;
  if (asked.now.getTime() - row.last_seen_at.getTime() >= notedEveryMs)
    await sql`update staff_session set last_seen_at = ${asked.now} where id = ${row.session_id}`.execute(db);
  return {
    userId: row.user_id,
    sessionId: row.session_id,
    name: row.name,
    email: row.email,
    confirmedAt: row.confirmed_at,
    hasSecondFactor: row.has_second_factor,
  };
}

/**
 * Leaves of several session cookies the one that counts, for the library, which looks at the first alone.
 * @returns the Cookie header
 */
export async function withOneSession(db: Db | Tx, asked: SessionLookUp): Promise<string> {
  const { cookies, origin } = asked;
  const name = cookiePrefix(origin);
  if (readCookies(cookies, name).length < 2) return cookies;
  const row = await findSession(db, asked);
  const others = withoutCookies(cookies, name);
  return row === null ? others : `${others}; ${name}=${encodeURIComponent(row.cookie)}`;
}

/** @returns the session of the first cookie that opens one, and that cookie's value */
async function findSession(
  db: Db | Tx,
  { cookies, origin, secret, now }: SessionLookUp,
): Promise<(SessionRow & { cookie: string }) | null> {
  const signed = readCookies(cookies, cookiePrefix(origin)).flatMap((cookie) => {
    const token = signedToken(cookie, secret);
    return token === null ? [] : [{ cookie, token }];
  });
  if (signed.length === 0) return null;
  const { rows } = await sql<SessionRow>`
    select s.token, s.id as session_id, s.confirmed_at, s.last_seen_at, s.has_second_factor, u.id as user_id,
           u.name, u.email
    from staff_session s
    join staff_user u on u.id = s.user_id
    where s.token = any(${signed.map(({ token }) => token)}) and ${isAlive(now)}`.execute(db);
  for (const { cookie, token } of signed) {
    const row = rows.find((each) => each.token === token);
    if (row !== undefined) return { ...row, cookie };
  }
  return null;
}

/** Of `staff_session s`: neither a week old nor unused for twelve hours. */
export const isAlive = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(s.expires_at > ${now} and s.last_seen_at > ${new Date(now.getTime() - idleMs)})`;

/** @returns what the library signed in a cookie, `token.signature`; null for anything else */
function signedToken(cookie: string, secret: string): string | null {
  const dot = cookie.lastIndexOf('.');
  if (dot < 1) return null;
  const token = cookie.slice(0, dot);
  const expected = createHmac('sha256', secret).update(token).digest();
  const sent = Buffer.from(cookie.slice(dot + 1), 'base64');
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? token : null;
}

export async function endSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('staff_session').where('id', '=', sessionId).execute();
}

/** Takes away sessions that have ended, and what was under way and was left. Both tables are as large as the staff is. */
export async function forgetEnded(db: Db, now: Date): Promise<void> {
  await sql`delete from staff_session s where not ${isAlive(now)}`.execute(db);
  await sql`delete from staff_verification where expires_at < ${now}`.execute(db);
}
