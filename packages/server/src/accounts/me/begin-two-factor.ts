import { callLibrary } from '../sign-in/call-library.ts';
import type { SignIn } from '../sign-in/create-sign-in.ts';
import { attemptCredential } from './check-credential.ts';
import { requireSecondFactor } from './require-second-factor.ts';
import type { Self } from './self.ts';

export interface NewTwoFactor {
  /** URI to open in the authenticator app (`otpauth://…`). */
  uri: string;
  /** Single-use recovery codes. */
  spareCodes: string[];
}

/**
 * Starts setting up a second factor. It takes effect when its first code is entered (`finishTwoFactor`).
 * @param password absent if the person has no password
 * @throws Refusal Forbidden for a wrong password or an existing second factor that this session hasn't used,
 * Conflict if a second factor is already set up, RateLimited
 */
export async function beginTwoFactor(
  signIn: SignIn,
  self: Self,
  password: string | undefined,
): Promise<NewTwoFactor> {
  await requireSecondFactor(signIn.db, self);
  const auth = await signIn.auth(self.browser.origin);
  const { body } = await attemptCredential(signIn, self, () =>
    callLibrary<{ totpURI: string; backupCodes: string[] }>(auth, self.browser, {
      method: 'POST',
      path: '/two-factor/enable',
      body: { password },
    }),
  );
  return { uri: body.totpURI, spareCodes: body.backupCodes };
}
