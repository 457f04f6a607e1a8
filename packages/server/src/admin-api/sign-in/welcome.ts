import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LibraryResponse } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { isKnownBrowser, knownBrowserCookie } from '../../accounts/sign-in/known-browser.ts';
import { endSession, readSession } from '../../accounts/sign-in/sessions.ts';
import { callerOf, giveCookies } from './answer-browser.ts';

/**
 * Gives a browser its new session, by which it is known from now on. The session that it had before ends: its cookie is
 * gone, and nothing else would end it.
 */
export async function welcome(
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: LibraryResponse,
): Promise<void> {
  const { origin, cookies } = callerOf(signIn, request);
  const found = { origin, secret: await signIn.readSecret(), now: signIn.clock.now() };
  giveCookies(reply, answer);
  const set = answer.setCookies.map((line) => line.split(';', 1)[0]).join('; ');
  const session = await readSession(signIn.db, { ...found, cookies: set });
  const before = cookies === '' ? null : await readSession(signIn.db, { ...found, cookies });
  if (before !== null && before.sessionId !== session?.sessionId)
    await endSession(signIn.db, before.sessionId);
  // Without one a second factor is asked for first.
  if (session !== null)
    reply.header('set-cookie', knownBrowserCookie({ ...found, cookies, email: session.email }));
}

/** Makes a browser known whose person has just proven that an address is theirs, without signing them in. */
export async function rememberBrowser(
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<void> {
  reply.header('set-cookie', knownBrowserCookie(await browserOf(signIn, request, email)));
}

/** @returns whether the browser that asks signed in with an address before */
export const isKnown = async (signIn: SignIn, request: FastifyRequest, email: string): Promise<boolean> =>
  isKnownBrowser(await browserOf(signIn, request, email));

async function browserOf(signIn: SignIn, request: FastifyRequest, email: string) {
  const { origin, cookies } = callerOf(signIn, request);
  return { origin, cookies, email, secret: await signIn.readSecret(), now: signIn.clock.now() };
}
