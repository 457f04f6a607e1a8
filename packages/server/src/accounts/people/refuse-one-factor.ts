import type { Db } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { waysOf } from './ways-of.ts';

/**
 * Who has a second factor shows it before they change how they sign in: a password alone, or an account at a provider,
 * would otherwise be enough to make another one.
 * @throws Refusal Forbidden
 */
export async function refuseOneFactor(
  db: Db,
  { userId, hasSecondFactor }: { userId: string; hasSecondFactor: boolean },
): Promise<void> {
  if (hasSecondFactor) return;
  const { codes, passkeys } = await waysOf(db, userId);
  if (codes || passkeys > 0)
    throw new Refusal(
      'Forbidden',
      'Show your second factor first: sign in with your passkey, or with a code after your password.',
    );
}
