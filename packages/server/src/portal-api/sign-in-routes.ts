import { Type } from 'typebox';
import { emailAddress } from '../accounts/people/email-address.ts';
import type { App } from '../platform/http/app-type.ts';
import { text } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import { createCode, enterCode, enterLink } from '../portal/codes.ts';
import type { Portal } from '../portal/create-portal.ts';
import { browserCookie, browserToken, newBrowserToken } from '../portal/portal-cookies.ts';
import { codeMail } from '../portal/portal-mails.ts';
import { requireOn } from '../portal/require-portal.ts';
import { isKnown, sendSession, signingBrowser } from './browser-of.ts';
import { portalOperations } from './portal-operations.ts';

const signedIn = Type.Object({ email: Type.String() }, { title: 'SignedIn' });

/** Registers the sign-in with an emailed code or link. Only these requests use one up; opening a page doesn't. */
export function signInRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Sign-in');
  const { db, clock, limits, log } = portal;
  operation(
    ['post', '/auth/codes', 'requestCode'],
    {
      of: 'public',
      summary: 'Request an email with a code and a link to sign in',
      description:
        'The response is the same for every address. The code works only in this browser, and the link in any browser. Earlier codes stay valid.',
      body: Type.Object({ email: text(255) }, closed),
      answer: Type.Object({}, { title: 'RequestedCode' }),
    },
    async (request, reply) => {
      const email = emailAddress(request.body.email);
      limits.countMail({ address: request.ip, email, isKnown: await isKnown(portal, request, email) });
      const origin = requireOn(portal);
      const browser = browserToken(request.headers.cookie ?? '', origin) ?? newBrowserToken();
      const secret = await portal.readSecret();
      const code = await createCode(db, { email, browser, secret, now: clock.now() });
      // Not awaited: the mail server may take seconds, and its response depends on the address.
      void portal
        .sendMail(codeMail(email, portal.url ?? origin, code))
        .catch((error: unknown) => log.error({ err: error }, "couldn't send a code"));
      reply.header('set-cookie', browserCookie(origin, browser));
      portal.deleteExpired();
      return {};
    },
  );

  operation(
    ['post', '/auth/codes/enter', 'enterCode'],
    {
      of: 'public',
      summary: 'Sign in with a code, in the browser that requested it',
      description:
        'Each attempt counts; after ten, this browser needs a new code. Letter case and the dash do not matter.',
      body: Type.Object({ code: text(64) }, closed),
      answer: signedIn,
    },
    async (request, reply) => {
      limits.countAttempt(request.ip);
      const typed = {
        code: request.body.code,
        browser: browserToken(request.headers.cookie ?? '', requireOn(portal)),
        secret: await portal.readSecret(),
      };
      const entered = await enterCode(db, typed, signingBrowser(portal, request), clock.now());
      await sendSession(portal, request, reply, entered);
      return { email: entered.email };
    },
  );

  operation(
    ['post', '/auth/links/enter', 'enterLink'],
    {
      of: 'public',
      summary: 'Sign in with the link of an email, in any browser',
      description: 'Uses up the link and the code of the email.',
      body: Type.Object({ token: text(100, 'Part of the link after the #.') }, closed),
      answer: signedIn,
    },
    async (request, reply) => {
      limits.countAttempt(request.ip);
      const from = signingBrowser(portal, request);
      const entered = await enterLink(db, request.body.token, from, clock.now());
      await sendSession(portal, request, reply, entered);
      return { email: entered.email };
    },
  );
}
