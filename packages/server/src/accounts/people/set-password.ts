import { hashPassword } from 'better-auth/crypto';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { maxPasswordLength, minPasswordLength } from '../sign-in/open-auth.ts';

/** Password hash. Compute it before starting a transaction, because hashing is slow on purpose. */
export type PasswordHash = string & { readonly brand: 'password hash' };

/** @throws Refusal InvalidInput for a password that is too short or too long */
export function requireGoodLength(password: string): void {
  if (password.length < minPasswordLength || password.length > maxPasswordLength)
    throw new Refusal(
      'InvalidInput',
      `The password must be ${minPasswordLength} to ${maxPasswordLength} characters long. Use several words, for example.`,
      { path: ['password'] },
    );
}

/**
 * Slow on purpose. Must be called within `SignInLimits.hashing`.
 * @throws Refusal as in requireGoodLength
 */
export async function hashNewPassword(password: string): Promise<PasswordHash> {
  requireGoodLength(password);
  return (await hashPassword(password)) as PasswordHash;
}

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
