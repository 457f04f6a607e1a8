import { hash } from 'node:crypto';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

export const attemptMinutes = 10;

/** Visit to a provider, or question to a passkey, that a browser has begun. */
export interface Attempt {
  /** State that the provider returns, or challenge that the passkey signs. Only its hash is stored. */
  secret: string;
  /** Provider's id or `passkey`. */
  method: string;
  /** Secret of the browser, which alone can finish the attempt. */
  browser: string;
}

/** Stores an attempt. @param sessionId session that adds the sign-in method; null for a sign-in */
export async function createAttempt(
  db: Db | Tx,
  { secret, method, browser }: Attempt,
  sessionId: string | null,
  now: Date,
): Promise<void> {
  await db
    .insertInto('portal_attempt')
    .values({
      secret_hash: sha256(secret),
      method,
      browser_hash: sha256(browser),
      session_id: sessionId,
      created_at: now,
      expires_at: new Date(now.getTime() + attemptMinutes * 60_000),
    })
    .execute();
}

/**
 * Takes an attempt, so that it is finished only once.
 * @returns the session that adds the sign-in method, or null for a sign-in; undefined if there is no such attempt
 */
export async function takeAttempt(
  db: Db | Tx,
  { secret, method, browser }: Attempt,
  now: Date,
): Promise<{ sessionId: string | null } | undefined> {
  const taken = await db
    .deleteFrom('portal_attempt')
    .where('secret_hash', '=', sha256(secret))
    .where('method', '=', method)
    .where('browser_hash', '=', sha256(browser))
    .where('expires_at', '>', now)
    .returning('session_id')
    .executeTakeFirst();
  return taken && { sessionId: taken.session_id };
}

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
