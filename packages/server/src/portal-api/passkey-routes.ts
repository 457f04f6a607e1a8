import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { visible, webAuthn } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import type { Portal } from '../portal/create-portal.ts';
import { addPasskey, beginPasskey, type PasskeyPage } from '../portal/passkeys/add-passkey.ts';
import { beginPasskeySignIn, signInWithPasskey } from '../portal/passkeys/sign-in-with-passkey.ts';
import { browserCookie, browserToken, newBrowserToken } from '../portal/portal-cookies.ts';
import { requireOn, sessionOf } from '../portal/require-portal.ts';
import { sendSession, signingBrowser, sourceOf } from './browser-of.ts';
import { portalOperations } from './portal-operations.ts';
import { changingSession, confirmationCode, tellOfChange } from './sign-in-method-routes.ts';

/** Registers the sign-in with passkeys, and the operations that add one. */
export function passkeyRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Sign-in');
  const { db, clock, limits } = portal;
  operation(
    ['post', '/auth/passkeys/options', 'beginPasskeySignIn'],
    {
      of: 'public',
      summary: 'Get the options for signing in with a passkey',
      description: 'They work once, for ten minutes, in this browser.',
      body: Type.Object({}, closed),
      answer: webAuthn('Options for navigator.credentials.get.', 'PasskeyQuestion'),
    },
    async (request, reply) => {
      limits.countAttempt(request.ip);
      portal.deleteExpired();
      return beginPasskeySignIn(db, pageOf(portal, request, reply), clock.now());
    },
  );

  operation(
    ['post', '/auth/passkeys/enter', 'enterPasskey'],
    {
      of: 'public',
      summary: 'Sign in with a passkey',
      description: 'Works only for a passkey that a person has added to their sign-in methods.',
      body: Type.Object(
        { response: webAuthn('Response of navigator.credentials.get.', 'PasskeyAnswer') },
        closed,
      ),
      answer: Type.Object({ email: Type.String() }, { title: 'SignedInWithPasskey' }),
    },
    async (request, reply) => {
      limits.countAttempt(request.ip);
      const { response } = request.body;
      const from = signingBrowser(portal, request);
      const page = pageOf(portal, request, reply);
      const entered = await signInWithPasskey(db, page, { response, from, now: clock.now() });
      await sendSession(portal, request, reply, entered);
      return { email: entered.email };
    },
  );

  operation(
    ['post', '/sign-in-methods/passkeys/options', 'beginPasskey'],
    {
      of: 'signed-in',
      summary: 'Get the options for creating a passkey, with an emailed code',
      description: 'Uses up the code.',
      body: Type.Object({ code: confirmationCode }, closed),
      answer: webAuthn('Options for navigator.credentials.create.', 'NewPasskeyQuestion'),
    },
    async (request, reply) => {
      limits.countAttempt(request.ip);
      const session = { ...(await changingSession(portal, request)), email: sessionOf(request).email };
      return beginPasskey(db, session, pageOf(portal, request, reply), request.body.code);
    },
  );

  operation(
    ['post', '/sign-in-methods/passkeys', 'addPasskey'],
    {
      of: 'signed-in',
      summary: 'Add a passkey to the sign-in methods',
      description:
        'The passkey must answer the options that this session got, within ten minutes, and must have verified its user.',
      body: Type.Object(
        {
          name: Type.String({
            minLength: 1,
            maxLength: 100,
            pattern: visible,
            description: 'Name that distinguishes the passkey from others.',
          }),
          response: webAuthn('Response of navigator.credentials.create.', 'NewPasskeyAnswer'),
        },
        closed,
      ),
      answer: Type.Object({}, { title: 'AddedPasskey' }),
    },
    async (request, reply) => {
      const { name, response } = request.body;
      const session = await changingSession(portal, request);
      const added = { name, response, source: sourceOf(request) };
      await addPasskey(db, session, pageOf(portal, request, reply), added);
      tellOfChange(portal, sessionOf(request), `You can now sign in with the passkey ${name}.`);
      return {};
    },
  );
}

/** Returns the page and the browser of a request. A browser without a secret gets one. */
function pageOf(portal: Portal, { headers }: FastifyRequest, reply: FastifyReply): PasskeyPage {
  const origin = requireOn(portal);
  const known = browserToken(headers.cookie ?? '', origin);
  const browser = known ?? newBrowserToken();
  if (known === null) reply.header('set-cookie', browserCookie(origin, browser));
  return { origin, browser };
}
