import { recordForPerson } from '../people/record-for-person.ts';
import type { LibraryResponse } from '../sign-in/call-library.ts';
import type { SignIn } from '../sign-in/create-sign-in.ts';
import { verifyCode } from '../sign-in/verify-code.ts';
import { attemptCredential } from './check-credential.ts';
import type { Self } from './self.ts';

/**
 * Activates a new second factor with its first code. The library ends this session and starts a new one.
 * @returns the library's response, with the new session's cookies
 * @throws Refusal Forbidden for a wrong code, RateLimited
 */
export const finishTwoFactor = (signIn: SignIn, self: Self, code: string): Promise<LibraryResponse> =>
  attemptCredential(signIn, self, () =>
    verifyCode(signIn, self.browser, code, (tx) =>
      recordForPerson(tx, self, self.source, { action: 'staff.set-up-two-factor' }),
    ),
  );
