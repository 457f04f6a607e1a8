import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, LibraryResponse } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { noPublicOrigin } from '../../accounts/sign-in/public-origin.ts';
import type { RequestSource } from '../../audit/actor.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Returns the browser of a request, for calls of the sign-in library.
 * @throws Refusal Forbidden if sign-in isn't possible at this host
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

/** Passes the library's cookies on to the browser. */
export function giveCookies(reply: FastifyReply, { setCookies }: LibraryResponse): void {
  for (const cookie of setCookies) reply.header('set-cookie', cookie);
}

/** Returns the source of a change by a person who isn't signed in yet. */
export const sourceOf = (request: FastifyRequest): RequestSource => ({
  address: request.ip,
  requestId: request.id,
});

/** Returns the origin for links: that of the browser, or of this machine for requests of other hosts. */
export const linkOrigin = (signIn: SignIn, request: FastifyRequest): string =>
  signIn.originAt(request.headers.host) ?? `http://localhost:${signIn.port}`;
