import { recordForPerson } from '../people/record-for-person.ts';
import { callInTransaction } from '../sign-in/call-in-transaction.ts';
import type { LibraryResponse } from '../sign-in/call-library.ts';
import type { SignIn } from '../sign-in/create-sign-in.ts';
import { checkCredential } from './check-credential.ts';
import { confirmSession } from './confirm-session.ts';
import { requireSecondFactor } from './require-second-factor.ts';
import type { Self } from './self.ts';

/**
 * Registers a passkey, which also confirms the session.
 * @param passkey name of the passkey, and the response from navigator.credentials.create
 * @returns the library's response, with cookies for the browser
 * @throws Refusal Forbidden if the passkey wasn't accepted, or if the person has a second factor that this
 * session hasn't used
 */
export async function addPasskey(
  signIn: SignIn,
  self: Self,
  passkey: { name: string; response: object },
): Promise<LibraryResponse> {
  await requireSecondFactor(signIn.db, self);
  const registration = { method: 'POST', path: '/passkey/verify-registration', body: passkey } as const;
  return checkCredential(() =>
    callInTransaction(signIn, self.browser, registration, async (tx) => {
      await recordForPerson(tx, self, self.source, { action: 'staff.add-passkey' });
      // Registering a passkey verifies the person, just as signing in with one does.
      await confirmSession(tx, self.sessionId, signIn.clock.now(), 'second factor');
    }),
  );
}
