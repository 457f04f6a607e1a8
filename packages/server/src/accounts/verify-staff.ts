import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { teamOf } from '../publishers/sandboxes.ts';
import type { PersonRole, SignedInPerson, StaffVerifier, TokenCaller } from './require-staff.ts';
import { isRole } from './roles.ts';
import type { SignIn } from './sign-in/create-sign-in.ts';
import { refuseCrossSite } from './sign-in/refuse-cross-site.ts';
import { readSession } from './sign-in/sessions.ts';
import { hashToken, isToken } from './tokens/token-format.ts';

export function createStaffVerifier(db: Db, signIn: SignIn, clock: Clock): StaffVerifier {
  return {
    async authenticate({ headers: { authorization, cookie, host } }) {
      const token = authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '';
      if (isToken(token)) return readToken(db, token, clock.now());
      const origin = signIn.originAt(host);
      if (cookie === undefined || origin === null) return null;
      const secret = await signIn.readSecret();
      const session = await readSession(db, { cookies: cookie, origin, secret, now: clock.now() });
      if (session === null) return null;
      const { confirmedAt: signedInAt, ...rest } = session;
      return { kind: 'staff', signedInAt, ...rest };
    },
    roleOf: (person, publisherId) => readRole(db, person, publisherId),
    refuseCrossSite: (request) => refuseCrossSite(signIn.publicUrl, request),
  };
}

/**
 * Reads the role on each request, so that a removal or a role change takes effect immediately, including in
 * the sandbox.
 */
async function readRole(db: Db, person: SignedInPerson, publisherId: string): Promise<PersonRole | null> {
  const own = await readOwnRole(db, person, publisherId);
  if (own !== null) return { ...own, isSandbox: false };
  const team = await teamOf(db, publisherId);
  const ofLive = team === null || team === publisherId ? null : await readOwnRole(db, person, team);
  return ofLive && { ...ofLive, isSandbox: true };
}

async function readOwnRole(
  db: Db,
  { userId, hasSecondFactor }: SignedInPerson,
  publisherId: string,
): Promise<Omit<PersonRole, 'isSandbox'> | null> {
  const { rows } = await sql<{ role: string; demands_two_factor: boolean }>`
    select f.role, coalesce(r.demands_two_factor, false) as demands_two_factor
    from staff f
    left join staff_rules r on r.publisher_id = f.publisher_id
    where f.publisher_id = ${publisherId} and f.user_id = ${userId}`.execute(db);
  const [row] = rows;
  if (row === undefined || !isRole(row.role)) return null;
  return { role: row.role, lacks: row.demands_two_factor && !hasSecondFactor ? 'two-factor' : null };
}

interface TokenRow {
  token_id: string;
  publisher_id: string;
  name: string;
  role: string;
  last_used_at: Date | null;
}

/** Minimum time between two updates of a token's `last_used_at`. */
const useSavedEveryMs = 60_000;

async function readToken(db: Db, token: string, now: Date): Promise<TokenCaller | null> {
  const { rows } = await sql<TokenRow>`
    select token_id, publisher_id, name, role, last_used_at
    from operator_token
    where token_hash = ${hashToken(token)} and revoked_at is null and expires_at > ${now}`.execute(db);
  const [row] = rows;
  if (row === undefined || !isRole(row.role)) return null;
  const { token_id: tokenId, publisher_id: publisherId, name, role } = row;
  if (now.getTime() - (row.last_used_at?.getTime() ?? 0) >= useSavedEveryMs)
    await sql`update operator_token set last_used_at = ${now} where token_id = ${tokenId}`.execute(db);
  return { kind: 'token', tokenId, publisherId, name, role };
}
