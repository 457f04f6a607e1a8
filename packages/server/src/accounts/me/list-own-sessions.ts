import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { isAlive } from '../sign-in/sessions.ts';

/** Session as shown to its owner, without the token. */
export interface OwnSession {
  sessionId: string;
  startedAt: Date;
  /** Accurate to the minute. */
  lastSeenAt: Date;
  /** The browser's User-Agent header; null if the browser sent none. */
  userAgent: string | null;
  address: string | null;
}

/**
 * Maximum number of sessions returned. A person with more sessions sees the latest ones and can end all
 * others at once.
 */
const maxShown = 100;

/** Returns a person's sessions, most recently used first. */
export async function listOwnSessions(db: Db, userId: string, now: Date): Promise<OwnSession[]> {
  const { rows } = await sql<{
    id: string;
    created_at: Date;
    last_seen_at: Date;
    user_agent: string | null;
    ip_address: string | null;
  }>`
    select s.id, s.created_at, s.last_seen_at, s.user_agent, s.ip_address
    from staff_session s
    where s.user_id = ${userId} and ${isAlive(now)}
    order by s.last_seen_at desc, s.id
    limit ${maxShown}`.execute(db);
  return rows.map((row) => ({
    sessionId: row.id,
    startedAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    userAgent: row.user_agent || null,
    address: row.ip_address || null,
  }));
}
