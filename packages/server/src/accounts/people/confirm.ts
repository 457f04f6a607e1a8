import { verifyPassword } from 'better-auth/crypto';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Checks a person's password.
 * @throws Refusal Forbidden for a wrong password, and for a person without one
 */
export async function requirePassword(db: Db, userId: string, password: string): Promise<void> {
  const row = await db
    .selectFrom('staff_account')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const hash = row?.password ?? null;
  // As in the library: a password that is too long isn't worth hashing.
  if (hash === null || password.length > 1_000 || !(await verifyPassword({ hash, password })))
    throw new Refusal('Forbidden', 'The password is wrong.');
}

/** Updates a session after its person has confirmed their identity again. */
export async function confirmSession(
  db: Db | Tx,
  sessionId: string,
  now: Date,
  shown: 'password' | 'second factor',
): Promise<void> {
  await db
    .updateTable('staff_session')
    .set({ confirmed_at: now, ...(shown === 'second factor' && { has_second_factor: true }) })
    .where('id', '=', sessionId)
    .execute();
}
