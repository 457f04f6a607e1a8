import type { FastifyRequest } from 'fastify';
import type { Self } from '../../accounts/me/self.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { Refusal } from '../../platform/refusal.ts';
import { callerOf, sourceOf } from '../sign-in/answer-browser.ts';

/**
 * Returns the signed-in person who sent a request.
 * @throws Refusal Forbidden for an operator token, which has no password, passkeys or sessions
 */
export function selfOf(signIn: SignIn, request: FastifyRequest): Self {
  const { adminCaller } = request;
  if (adminCaller?.kind !== 'staff')
    throw new Refusal('Forbidden', 'An operator token has no account of its own. Sign in as a person.');
  return { ...adminCaller, browser: callerOf(signIn, request), source: sourceOf(request) };
}
