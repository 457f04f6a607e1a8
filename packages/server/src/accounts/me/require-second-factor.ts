import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { signInMethodsOf } from '../people/sign-in-methods-of.ts';

/**
 * Requires people who have a second factor to have used it in this session before they change their sign-in
 * methods. Otherwise, a stolen password or provider account would be enough to add another second factor.
 * @throws Refusal Forbidden
 */
export async function requireSecondFactor(
  db: Db,
  { userId, hasSecondFactor }: { userId: string; hasSecondFactor: boolean },
): Promise<void> {
  if (hasSecondFactor) return;
  const { codes, passkeys } = await signInMethodsOf(db, userId);
  if (codes || passkeys > 0)
    throw new Refusal(
      'Forbidden',
      'Use your second factor first: sign in with your passkey, or with your password and a code.',
    );
}
