import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LibraryResponse } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { isKnownBrowser, knownBrowserCookie } from '../../accounts/sign-in/known-browser.ts';
import { endSession, readSession } from '../../accounts/sign-in/sessions.ts';
import { callerOf, forwardCookies } from './answer-browser.ts';

/**
 * Starts a session in a browser and remembers the browser as known. Ends the browser's previous session: the
 * new cookie replaces its cookie, so the person could no longer sign out of it.
 */
export async function startSession(
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: LibraryResponse,
): Promise<void> {
  const { origin, cookies } = callerOf(signIn, request);
  const signature = { origin, secret: await signIn.readSecret(), now: signIn.clock.now() };
  forwardCookies(reply, answer);
  const set = answer.setCookies.map((line) => line.split(';', 1)[0]).join('; ');
  const session = await readSession(signIn.db, { ...signature, cookies: set });
  const before = cookies === '' ? null : await readSession(signIn.db, { ...signature, cookies });
  if (before !== null && before.sessionId !== session?.sessionId)
    await endSession(signIn.db, before.sessionId);
  // There is no session while the second factor is still required.
  if (session !== null)
    reply.header('set-cookie', knownBrowserCookie({ ...signature, cookies, email: session.email }));
}

/** Remembers a browser as known, without starting a session, after the person has verified an address. */
export async function rememberBrowser(
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<void> {
  reply.header('set-cookie', knownBrowserCookie(await browserOf(signIn, request, email)));
}

/** Returns whether the browser has signed in with the address before. */
export const isKnown = async (signIn: SignIn, request: FastifyRequest, email: string): Promise<boolean> =>
  isKnownBrowser(await browserOf(signIn, request, email));

async function browserOf(signIn: SignIn, request: FastifyRequest, email: string) {
  const { origin, cookies } = callerOf(signIn, request);
  return { origin, cookies, email, secret: await signIn.readSecret(), now: signIn.clock.now() };
}
