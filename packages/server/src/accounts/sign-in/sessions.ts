import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { cookiePrefix } from './cookie-names.ts';
import { readCookies, withoutCookies } from './read-cookies.ts';

export const maxIdleMs = 12 * 3_600_000;
/** Minimum time between two updates of a session's `last_seen_at`. */
const useSavedEveryMs = 60_000;

export interface Session {
  userId: string;
  sessionId: string;
  name: string;
  email: string;
  /** Time at which a password, passkey or code was last verified in this session. */
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

export interface SessionQuery {
  cookies: string;
  origin: string;
  secret: string;
  now: Date;
}

/**
 * Reads the session of a request. If the request has several of our cookies, the first valid one counts.
 * @returns null if there is no session, or if the session is forged or has ended
 */
export async function readSession(db: Db, query: SessionQuery): Promise<Session | null> {
  const row = await findSession(db, query);
  if (row === null) return null;
  if (query.now.getTime() - row.last_seen_at.getTime() >= useSavedEveryMs)
    await sql`update staff_session set last_seen_at = ${query.now} where id = ${row.session_id}`.execute(db);
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
 * Removes all session cookies except the first valid one, because the library reads only the first.
 * @returns the Cookie header
 */
export async function withOneSession(db: Db | Tx, query: SessionQuery): Promise<string> {
  const { cookies, origin } = query;
  const name = cookiePrefix(origin);
  if (readCookies(cookies, name).length < 2) return cookies;
  const row = await findSession(db, query);
  const others = withoutCookies(cookies, name);
  return row === null ? others : `${others}; ${name}=${encodeURIComponent(row.cookie)}`;
}

/** @returns the session of the first valid cookie, with the cookie's value */
async function findSession(
  db: Db | Tx,
  { cookies, origin, secret, now }: SessionQuery,
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

/**
 * Builds the condition that session `s` of `staff_session` hasn't expired and was used in the last twelve
 * hours.
 */
export const isAlive = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(s.expires_at > ${now} and s.last_seen_at > ${new Date(now.getTime() - maxIdleMs)})`;

/**
 * @returns the token in a cookie `token.signature` that has the library's signature; null for any other text
 */
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

/**
 * Deletes ended sessions and expired verifications. Both tables are small, because they grow only with the number of
 * staff.
 */
export async function deleteEndedSessions(db: Db, now: Date): Promise<void> {
  await sql`delete from staff_session s where not ${isAlive(now)}`.execute(db);
  await sql`delete from staff_verification where expires_at < ${now}`.execute(db);
}
