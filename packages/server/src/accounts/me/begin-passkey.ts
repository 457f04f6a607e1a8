import { Refusal } from '../../platform/refusal.ts';
import { callLibrary, type LibraryResponse } from '../sign-in/call-library.ts';
import type { SignIn } from '../sign-in/create-sign-in.ts';
import { listPasskeys } from './list-passkeys.ts';
import { requireSecondFactor } from './require-second-factor.ts';
import type { Self } from './self.ts';

/** Maximum number of passkeys per person, enough for all of their devices. */
const maxPasskeys = 20;

/**
 * Returns the options and cookies needed to register a passkey.
 * @throws Refusal Conflict if the person has too many passkeys, Forbidden if the person has a second factor
 * that this session hasn't used
 */
export async function beginPasskey(signIn: SignIn, self: Self): Promise<LibraryResponse<object>> {
  await requireSecondFactor(signIn.db, self);
  if ((await listPasskeys(signIn.db, self.userId)).length >= maxPasskeys)
    throw new Refusal('Conflict', `You already have ${maxPasskeys} passkeys. Remove one first.`);
  return callLibrary<object>(await signIn.auth(self.browser.origin), self.browser, {
    method: 'GET',
    path: '/passkey/generate-register-options',
  });
}
