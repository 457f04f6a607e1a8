import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, LibraryResponse } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { noPublicOrigin } from '../../accounts/sign-in/public-origin.ts';
import type { RequestSource } from '../../audit/actor.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Describes the browser of a sign-in request in the form that the sign-in library expects.
 * @throws Refusal Forbidden at an address where people cannot sign in
 */
export function callerOf(signIn: SignIn, request: FastifyRequest): Caller {
  const origin = signIn.originAt(request.headers.host);
  if (origin === null) throw new Refusal('Forbidden', noPublicOrigin);
  return {
    origin,
    address: request.ip,
    cookies: request.headers.cookie ?? '',
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
  };
}

export function forwardCookies(reply: FastifyReply, { setCookies }: LibraryResponse): void {
  for (const cookie of setCookies) reply.header('set-cookie', cookie);
}

/** Returns the source of a request, for audit entries about a person who is not signed in yet. */
export const sourceOf = (request: FastifyRequest): RequestSource => ({
  address: request.ip,
  requestId: request.id,
});

/** Returns the origin for links: the request's origin, or localhost if people cannot sign in there. */
export const linkOrigin = (signIn: SignIn, request: FastifyRequest): string =>
  signIn.originAt(request.headers.host) ?? `http://localhost:${signIn.port}`;
