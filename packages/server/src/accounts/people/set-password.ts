import { hashPassword } from 'better-auth/crypto';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { longestPassword, shortestPassword } from '../sign-in/open-auth.ts';

/** A password as it is stored; made before a transaction begins, because it takes a while on purpose. */
export type PasswordHash = string & { readonly brand: 'password hash' };

/** @throws Refusal InvalidInput for a password that is too short or too long */
export function requireGoodLength(password: string): void {
  if (password.length < shortestPassword || password.length > longestPassword)
    throw new Refusal(
      'InvalidInput',
      `A password has ${shortestPassword} to ${longestPassword} characters; several words make a good one.`,
      { path: ['password'] },
    );
}

/**
 * Hashes a password, which takes a while on purpose: in its turn (SignInLimits.hashing).
 * @throws Refusal as requireGoodLength
 */
export async function hashNewPassword(password: string): Promise<PasswordHash> {
  requireGoodLength(password);
  return (await hashPassword(password)) as PasswordHash;
}

/** Gives somebody a password, in the place of the one they may have. */
export async function setPassword(tx: Tx, userId: string, password: PasswordHash, now: Date): Promise<void> {
  await tx
    .insertInto('staff_account')
    .values({
      id: newRowId(),
      user_id: userId,
      account_id: userId,
      provider_id: 'credential',
      password,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password, updated_at: now }),
    )
    .execute();
}
