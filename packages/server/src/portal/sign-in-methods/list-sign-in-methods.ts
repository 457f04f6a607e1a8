import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';

/** Maximum number of sign-in methods of a person, enough for all of their devices and channels. */
export const maxSignInMethods = 20;

/** Provider account or passkey that signs in as the person who added it. */
export interface SignInMethod {
  signInMethodId: string;
  /** Provider's id or `passkey`. */
  kind: string;
  /** Name that the provider shows, or that the person gave to a passkey. */
  name: string | null;
  addedAt: Date;
  lastUsedAt: Date | null;
}

/** Returns a person's sign-in methods besides emailed codes, in the order in which they were added. */
export async function listSignInMethods(db: Db | Tx, userId: string): Promise<SignInMethod[]> {
  const { rows } = await sql<SignInMethod>`
    select sign_in_method_id as "signInMethodId", provider as kind, name, added_at as "addedAt",
           last_used_at as "lastUsedAt"
    from portal_provider_account
    where user_id = ${userId}
    union all
    select sign_in_method_id, 'passkey', name, added_at, last_used_at
    from portal_passkey
    where user_id = ${userId}
    order by "addedAt", "signInMethodId"`.execute(db);
  return rows;
}

/** Returns one of a person's sign-in methods. @throws Refusal NotFound */
export async function requireSignInMethod(
  db: Db | Tx,
  userId: string,
  signInMethodId: string,
): Promise<SignInMethod> {
  const own = await listSignInMethods(db, userId);
  const found = own.find((each) => each.signInMethodId === signInMethodId);
  if (found === undefined)
    throw new Refusal(
      'NotFound',
      'You have no such sign-in method. Reload the page to see your sign-in methods.',
    );
  return found;
}

/** Locks a person, so that concurrent additions are counted one after another. @returns whether there is room for another method */
export async function lockForAnother(tx: Tx, userId: string): Promise<boolean> {
  await tx.selectFrom('portal_user').select('user_id').where('user_id', '=', userId).forUpdate().execute();
  return (await listSignInMethods(tx, userId)).length < maxSignInMethods;
}
