import { Refusal } from '../../platform/refusal.ts';
import { signInMethodsOf } from '../people/sign-in-methods-of.ts';
import type { SignIn } from '../sign-in/create-sign-in.ts';
import { verifyCode } from '../sign-in/verify-code.ts';
import { attemptCredential } from './check-credential.ts';
import { confirmSession } from './confirm-session.ts';
import type { Self } from './self.ts';

/**
 * Confirms a session with a code from the person's second factor.
 * @throws Refusal Forbidden for a wrong code, Conflict if the person has no second factor, RateLimited
 */
export async function confirmWithCode(signIn: SignIn, self: Self, code: string): Promise<void> {
  const { db, clock } = signIn;
  // The first code from a new second factor must go to finishTwoFactor, which writes an audit entry.
  if (!(await signInMethodsOf(db, self.userId)).codes)
    throw new Refusal('Conflict', 'No second factor is set up. Confirm with your password.');
  await attemptCredential(signIn, self, () => verifyCode(signIn, self.browser, code));
  await confirmSession(db, self.sessionId, clock.now(), 'second factor');
}
