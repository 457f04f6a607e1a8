import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { StaffVerifier, TokenHolder } from './require-staff.ts';
import { isRole } from './roles.ts';
import { hashToken, isToken } from './tokens/token-format.ts';

/** Finds out who asks for an operation of the admin API. */
export function createStaffVerifier(db: Db, clock: Clock): StaffVerifier {
  return {
    async visitorOf({ headers: { authorization } }) {
      const token = authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '';
      return isToken(token) ? readToken(db, token, clock.now()) : null;
    },
    roleOf: async () => null,
    refuseForeign: () => undefined,
  };
}

async function readToken(db: Db, token: string, now: Date): Promise<TokenHolder | null> {
  const { rows } = await sql<{ token_id: string; publisher_id: string; name: string; role: string }>`
    select token_id, publisher_id, name, role
    from operator_token
    where token_hash = ${hashToken(token)} and revoked_at is null and expires_at > ${now}`.execute(db);
  const [row] = rows;
  if (row === undefined || !isRole(row.role)) return null;
  const { token_id: tokenId, publisher_id: publisherId, name, role } = row;
  return { kind: 'token', tokenId, publisherId, name, role };
}
