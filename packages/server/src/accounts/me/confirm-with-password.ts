import { verifyPassword } from 'better-auth/crypto';
import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { SignIn } from '../sign-in/create-sign-in.ts';
import { attemptCredential } from './check-credential.ts';
import { confirmSession } from './confirm-session.ts';
import type { Self } from './self.ts';

/**
 * Confirms a session with the person's password.
 * @throws Refusal Forbidden for a wrong password or if the person has no password, RateLimited
 */
export async function confirmWithPassword(signIn: SignIn, self: Self, password: string): Promise<void> {
  const { db, clock } = signIn;
  await attemptCredential(signIn, self, () => requirePassword(db, self.userId, password));
  await confirmSession(db, self.sessionId, clock.now(), 'password');
}

async function requirePassword(db: Db, userId: string, password: string): Promise<void> {
  const row = await db
    .selectFrom('staff_account')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const hash = row?.password ?? null;
  // Like the library, don't hash a password that is too long.
  if (hash === null || password.length > 1_000 || !(await verifyPassword({ hash, password })))
    throw new Refusal('Forbidden', 'The password is wrong.');
}
