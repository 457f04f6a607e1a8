import { Refusal } from '../../platform/refusal.ts';
import { recordForPerson } from '../people/record-for-person.ts';
import { signInMethodsOf } from '../people/sign-in-methods-of.ts';
import { callInTransaction } from '../sign-in/call-in-transaction.ts';
import type { LibraryResponse } from '../sign-in/call-library.ts';
import type { SignIn } from '../sign-in/create-sign-in.ts';
import { attemptCredential } from './check-credential.ts';
import { requireSecondFactor } from './require-second-factor.ts';
import type { Self } from './self.ts';

/**
 * @param password absent if the person has no password
 * @returns the library's response with new session cookies, because the library renews the session
 * @throws Refusal Conflict if the person has no second factor, Forbidden for a wrong password or if this
 * session hasn't used the second factor, RateLimited
 */
export async function removeTwoFactor(
  signIn: SignIn,
  self: Self,
  password: string | undefined,
): Promise<LibraryResponse> {
  if (!(await signInMethodsOf(signIn.db, self.userId)).codes)
    throw new Refusal('Conflict', 'No second factor is set up.');
  await requireSecondFactor(signIn.db, self);
  const removal = { method: 'POST', path: '/two-factor/disable', body: { password } } as const;
  return attemptCredential(signIn, self, () =>
    callInTransaction(signIn, self.browser, removal, (tx) =>
      recordForPerson(tx, self, self.source, { action: 'staff.remove-two-factor' }),
    ),
  );
}
