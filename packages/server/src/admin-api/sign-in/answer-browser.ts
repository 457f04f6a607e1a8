import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, LibraryResponse } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { noPublicOrigin } from '../../accounts/sign-in/public-origin.ts';
import type { RequestSource } from '../../audit/actor.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Who asks to be let in, as the sign-in library is told.
 * @throws Refusal Forbidden where nobody can sign in
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

/** Hands on the cookies that the library sets. */
export function giveCookies(reply: FastifyReply, { setCookies }: LibraryResponse): void {
  for (const cookie of setCookies) reply.header('set-cookie', cookie);
}

/** Where somebody acts from who is not signed in yet. */
export const sourceOf = (request: FastifyRequest): RequestSource => ({
  address: request.ip,
  requestId: request.id,
});

/** Where links lead that are handed out: where whoever asks is, or, for a program, where the installation is. */
export const linkOrigin = (signIn: SignIn, request: FastifyRequest): string =>
  signIn.originAt(request.headers.host) ?? `http://localhost:${signIn.port}`;
