import { Refusal } from '../../platform/refusal.ts';
import type { SignIn } from '../sign-in/create-sign-in.ts';
import type { Self } from './self.ts';

/**
 * Runs `check` on a signed-in person's credential. Replaces Unauthorized with Forbidden, because Unauthorized
 * would make the dashboard send the person to the sign-in page.
 * @throws Refusal Forbidden for a wrong credential
 */
export async function checkCredential<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'Unauthorized')
      throw new Refusal('Forbidden', error.message, { cause: error });
    throw error;
  }
}

/**
 * Checks a password or code. Passwords and codes can be guessed, so failed attempts count like failed
 * sign-ins.
 * @throws Refusal Forbidden for a wrong credential, RateLimited, Unavailable
 */
export const attemptCredential = <Result>(
  { limits }: Pick<SignIn, 'limits'>,
  { userId, browser }: Self,
  check: () => Promise<Result>,
): Promise<Result> =>
  checkCredential(() => limits.attempting({ address: browser.address, account: userId }, check));
