import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnownBrowser, knownBrowserCookie } from '../accounts/sign-in/known-browser.ts';
import type { RequestSource } from '../audit/actor.ts';
import type { SignedIn } from '../portal/codes.ts';
import type { Portal } from '../portal/create-portal.ts';
import { sessionCookie, sessionTokens } from '../portal/portal-cookies.ts';
import { requireOn } from '../portal/require-portal.ts';
import type { SigningBrowser } from '../portal/sessions.ts';

/** Describes the browser of a request in which a person signs in. */
export const signingBrowser = (portal: Portal, { ip, headers }: FastifyRequest): SigningBrowser => ({
  address: ip,
  userAgent: (headers['user-agent'] ?? '').slice(0, 500),
  tokens: sessionTokens(headers.cookie ?? '', requireOn(portal)),
});

/** Sends the cookie of a new session, and remembers that the browser has signed in with the address. */
export async function sendSession(
  portal: Portal,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, token }: SignedIn,
): Promise<void> {
  reply.header('set-cookie', sessionCookie(requireOn(portal), token));
  reply.header('set-cookie', knownBrowserCookie(await browserOf(portal, request, email)));
}

/** Returns whether the browser has signed in with the address before. */
export const isKnown = async (portal: Portal, request: FastifyRequest, email: string): Promise<boolean> =>
  isKnownBrowser(await browserOf(portal, request, email));

async function browserOf(portal: Portal, { headers }: FastifyRequest, email: string) {
  return {
    origin: requireOn(portal),
    audience: 'creators',
    cookies: headers.cookie ?? '',
    secret: await portal.readSecret(),
    email,
    now: portal.clock.now(),
  } as const;
}

/** Returns the source of a request, for audit entries. */
export const sourceOf = ({ ip, id }: FastifyRequest): RequestSource => ({ address: ip, requestId: id });
