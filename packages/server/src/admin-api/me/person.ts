import type { FastifyRequest } from 'fastify';
import type { SignedInPerson } from '../../accounts/require-staff.ts';
import { Refusal } from '../../platform/refusal.ts';

/** @throws Refusal Forbidden for a program: it has no password, no passkeys and no sessions */
export function personOf({ adminCaller }: FastifyRequest): SignedInPerson {
  if (adminCaller?.kind === 'staff') return adminCaller;
  throw new Refusal('Forbidden', 'This is for people, and a program asks.');
}

/**
 * Somebody who is signed in shows something that is not accepted: they stay who they are, and are not sent to sign in.
 * @throws Refusal Forbidden for what the library calls unauthorized
 */
export async function showing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'Unauthorized')
      throw new Refusal('Forbidden', error.message, { cause: error });
    throw error;
  }
}
