import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { time } from '../platform/http/schemas/fields.ts';
import { text } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import { Refusal } from '../platform/refusal.ts';
import {
  acceptAndSignIn,
  acceptSignedIn,
  findCreatorInvitation,
} from '../portal/accept-creator-invitation.ts';
import type { Portal } from '../portal/create-portal.ts';
import { findSession } from '../portal/require-portal.ts';
import { publisherNames } from '../publishers/publisher-names.ts';
import { sendSession, signingBrowser, sourceOf } from './browser-of.ts';
import { portalOperations } from './portal-operations.ts';

const token = text(100, 'Part of the link after the #.');

/** Registers the routes that show and accept an invitation. An invitation can be shown any number of times. */
export function invitationRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Sign-in');
  const { db, clock, limits } = portal;
  operation(
    ['post', '/auth/invitation', 'getInvitation'],
    {
      of: 'public',
      summary: 'Get an invitation, without accepting it',
      description: 'Returns 404 if the invitation was accepted or withdrawn, or has expired.',
      body: Type.Object({ token }, closed),
      answer: Type.Object(
        {
          publisherName: Type.String(),
          accountName: Type.String({ description: 'Creator account that the invitation is for.' }),
          email: Type.String({ description: 'Address that the invitation was sent to.' }),
          expiresAt: time('Expiration time.'),
        },
        { title: 'Invitation' },
      ),
    },
    async (request) => {
      limits.countAttempt(request.ip);
      const invitation = await findCreatorInvitation(db, request.body.token, clock.now());
      const { publisherId, accountName, email, expiresAt } = invitation;
      const names = await publisherNames(db, [publisherId]);
      return { publisherName: names.get(publisherId) ?? publisherId, accountName, email, expiresAt };
    },
  );

  operation(
    ['post', '/auth/invitation/accept', 'acceptInvitation'],
    {
      of: 'public',
      summary: 'Accept an invitation',
      description:
        'Connects the creator account. With `as` `invited`, signs in as the address that the invitation was sent to. With `signed-in`, connects the account to the person who is signed in, whose address may be a different one.',
      body: Type.Object(
        { token, as: Type.Union([Type.Literal('invited'), Type.Literal('signed-in')]) },
        closed,
      ),
      answer: Type.Object({ email: Type.String() }, { title: 'AcceptedInvitation' }),
    },
    async (request, reply) => {
      limits.countAttempt(request.ip);
      const acceptance = { token: request.body.token, source: sourceOf(request), now: clock.now() };
      if (request.body.as === 'invited') {
        const accepted = await acceptAndSignIn(db, acceptance, signingBrowser(portal, request));
        await sendSession(portal, request, reply, accepted);
        return { email: accepted.email };
      }
      const session = await findSession(portal, request);
      if (session === null) throw new Refusal('Unauthorized', 'Sign in first.');
      await acceptSignedIn(db, acceptance, session.userId);
      return { email: session.email };
    },
  );
}
