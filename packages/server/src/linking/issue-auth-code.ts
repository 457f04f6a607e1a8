import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { violatedConstraint } from '../platform/database/database-errors.ts';
import { serviceSecret } from '../platform/database/service-secret.ts';
import { hashAuthCode, newAuthCode } from './auth-code.ts';

/** The contract's lifetime. */
const lifetimeMs = 30 * 60_000;
const attempts = 3;

/** What auth codes are hashed with, the same in all processes of an installation. */
export const authCodeSecret = (db: Db): Promise<Buffer> => serviceSecret(db, 'auth-code');

export interface IssuedAuthCode {
  /** Shown this once: `XXXX-XXXX`. */
  authCode: string;
  /** The first moment at which it is no longer good. */
  expiresAt: Date;
}

/** Gives an account a new auth code; the one it had is good no longer. */
export async function issueAuthCode(
  db: Db,
  secret: Buffer,
  accountId: string,
  now: Date,
): Promise<IssuedAuthCode> {
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  for (let attempt = 1; ; attempt += 1) {
    const authCode = newAuthCode();
    try {
      await sql`
        insert into auth_code (account_id, code_hash, issued_at, expires_at)
        values (${accountId}, ${hashAuthCode(secret, authCode)}, ${now}, ${expiresAt})
        on conflict (account_id) do update
          set code_hash = excluded.code_hash, issued_at = excluded.issued_at, expires_at = excluded.expires_at`.execute(
        db,
      );
      return { authCode, expiresAt };
    } catch (error) {
      // Another account has this very code: one in billions, so another one will do.
      if (attempt === attempts || violatedConstraint(error) !== 'auth_code_code_hash_key') throw error;
    }
  }
}

/** The open account of a group's member, Approved or Pending, that the publisher knows by a player id; null for none. */
export async function accountOfPlayer(
  db: Db,
  publisherId: string,
  groupId: string,
  playerId: string,
): Promise<string | null> {
  const member = await db
    .selectFrom('membership as m')
    .innerJoin('creator_account as a', 'a.account_id', 'm.account_id')
    .select('m.account_id')
    .where('m.publisher_id', '=', publisherId)
    .where('m.group_id', '=', groupId)
    .where('m.player_id', '=', playerId)
    .where('m.status', '<>', 'Removed')
    .where('a.closed_at', 'is', null)
    .executeTakeFirst();
  return member?.account_id ?? null;
}
