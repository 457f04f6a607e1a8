import type { FastifyRequest } from 'fastify';
import type { SignedInPerson } from '../../accounts/require-staff.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Returns the signed-in person.
 * @throws Refusal Forbidden for an operator token, which has no password, passkeys or sessions
 */
export function personOf({ adminCaller }: FastifyRequest): SignedInPerson {
  if (adminCaller?.kind === 'staff') return adminCaller;
  throw new Refusal('Forbidden', 'An operator token has no account of its own. Sign in as a person.');
}

/**
 * Runs the check of a signed-in person's credential. Turns Unauthorized into Forbidden, because Unauthorized would make
 * the dashboard send the person to the sign-in page.
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
