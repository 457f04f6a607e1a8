import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { newRowId, randomBase62 } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';

const dayMs = 86_400_000;
/** Lifetime of a session. A creator who looks once a week doesn't need a new code each time. */
export const sessionDays = 30;
const maxIdleDays = 14;
/** Minimum time between two updates of a session's `last_seen_at`. */
const useSavedEveryMs = 3_600_000;
/** Maximum number of sessions of a person. A new session ends the one that was used longest ago. */
const maxSessions = 50;

/** Session of a signed-in person. */
export interface PortalSession {
  userId: string;
  sessionId: string;
  email: string;
  startedAt: Date;
  expiresAt: Date;
}

/** Browser in which a person signs in. */
export interface SigningBrowser {
  address: string;
  userAgent: string;
  /** Tokens of the browser's session cookies. The new session replaces these sessions. */
  tokens: readonly string[];
}

/** Returns the hash under which a token is stored. Tokens have 238 random bits, so the hash doesn't need a salt. */
const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Builds the condition that session `s` of `portal_session` hasn't ended. */
export const isAlive = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`
    (s.expires_at > ${now} and s.last_seen_at > ${new Date(now.getTime() - maxIdleDays * dayMs)})`;

/**
 * Reads the session of a request.
 * @param tokens tokens of all session cookies of the request; the first valid one counts
 * @returns null if there is no session, or if it has ended
 */
export async function readSession(
  db: Db,
  tokens: readonly string[],
  now: Date,
): Promise<PortalSession | null> {
  if (tokens.length === 0) return null;
  const hashes = tokens.map(hashToken);
  const { rows } = await sql<{
    token_hash: Buffer;
    session_id: string;
    user_id: string;
    email: string;
    created_at: Date;
    expires_at: Date;
    last_seen_at: Date;
  }>`
    select s.token_hash, s.session_id, s.user_id, u.email, s.created_at, s.expires_at, s.last_seen_at
    from portal_session s
    join portal_user u on u.user_id = s.user_id
    where s.token_hash = any(${hashes}::bytea[]) and ${isAlive(now)}`.execute(db);
  const row = hashes
    .map((each) => rows.find(({ token_hash }) => token_hash.equals(each)))
    .find((each) => each !== undefined);
  if (row === undefined) return null;
  if (now.getTime() - row.last_seen_at.getTime() >= useSavedEveryMs)
    await sql`update portal_session set last_seen_at = ${now} where session_id = ${row.session_id}`.execute(
      db,
    );
  return {
    userId: row.user_id,
    sessionId: row.session_id,
    email: row.email,
    startedAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Person who signs in, and what they signed in with. */
export interface Proven {
  userId: string;
  /** Sign-in method; null for an emailed code, link or invitation. */
  startedWith: string | null;
}

/**
 * Starts a session in the transaction of the proof that allows it, and ends the browser's earlier sessions.
 * @returns the token for the cookie, which is not stored
 */
export async function startSession(
  tx: Tx,
  { userId, startedWith }: Proven,
  { address, userAgent, tokens }: SigningBrowser,
  now: Date,
): Promise<string> {
  await sql`
    delete from portal_session
    where token_hash = any(${tokens.map(hashToken)}::bytea[])
       or session_id in (
         select session_id
         from portal_session
         where user_id = ${userId}
         order by last_seen_at desc, session_id
         offset ${maxSessions - 1})`.execute(tx);
  const token = randomBase62(40);
  await tx
    .insertInto('portal_session')
    .values({
      token_hash: hashToken(token),
      session_id: newRowId(),
      user_id: userId,
      created_at: now,
      expires_at: new Date(now.getTime() + sessionDays * dayMs),
      last_seen_at: now,
      address: address.slice(0, 255),
      user_agent: userAgent === '' ? null : userAgent,
      started_with: startedWith,
    })
    .execute();
  return token;
}

/** Session as shown to its owner, without the token. */
export interface OwnSession {
  sessionId: string;
  startedAt: Date;
  /** Accurate to the hour. */
  lastSeenAt: Date;
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
}

/** Returns a person's sessions, most recently used first. */
export async function listSessions(db: Db, userId: string, now: Date): Promise<OwnSession[]> {
  const { rows } = await sql<{
    session_id: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
    address: string | null;
    user_agent: string | null;
  }>`
    select s.session_id, s.created_at, s.last_seen_at, s.expires_at, s.address, s.user_agent
    from portal_session s
    where s.user_id = ${userId} and ${isAlive(now)}
    order by s.last_seen_at desc, s.session_id
    limit ${maxSessions}`.execute(db);
  return rows.map((row) => ({
    sessionId: row.session_id,
    startedAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    address: row.address,
    userAgent: row.user_agent,
  }));
}

/** Ends one of a person's sessions. @throws Refusal NotFound if it has ended or belongs to another person */
export async function endSession(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('portal_session')
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new Refusal('NotFound', 'This session has already ended.');
}

/** Ends the sessions that were started with a sign-in method, except for one. */
export async function endSessionsOf(
  tx: Tx,
  { userId, startedWith }: { userId: string; startedWith: string },
  exceptSessionId: string,
): Promise<void> {
  await tx
    .deleteFrom('portal_session')
    .where('user_id', '=', userId)
    .where('started_with', '=', startedWith)
    .where('session_id', '<>', exceptSessionId)
    .execute();
}

/** Ends all of a person's sessions but one. */
export async function endOtherSessions(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  await tx
    .deleteFrom('portal_session')
    .where('user_id', '=', userId)
    .where('session_id', '<>', sessionId)
    .execute();
}
