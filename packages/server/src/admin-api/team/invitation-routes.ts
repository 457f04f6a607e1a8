import { Type } from 'typebox';
import { invite } from '../../accounts/people/invite.ts';
import { listInvitations } from '../../accounts/people/list-invitations.ts';
import { mailInvitation } from '../../accounts/people/mail-invitation.ts';
import { revokeInvitation } from '../../accounts/people/revoke-invitation.ts';
import { staffOf } from '../../accounts/require-staff.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { adminErrors, nullable, publisherPath, time } from '../schemas.ts';
import { linkOrigin } from '../sign-in/answer-browser.ts';
import { role } from './schemas.ts';

const invitation = Type.Object(
  {
    invitationId: Type.String(),
    email: Type.String(),
    role: Type.String(),
    invitedBy: Type.String(),
    createdAt: time('Creation time.'),
    expiresAt: time('Expiration time.'),
  },
  { title: 'OpenInvitation' },
);

/** Registers the routes that list, send and withdraw invitations to a publisher's staff. */
export function teamInvitationRoutes(app: App, signIn: SignIn): void {
  const { db, clock } = signIn;
  app.get(
    '/publishers/:publisherId/invitations',
    {
      config: { staff: 'team' },
      schema: {
        operationId: 'listInvitations',
        summary: 'List open invitations',
        tags: ['Team'],
        params: publisherPath,
        response: {
          200: Type.Object({ rows: Type.Array(invitation) }, { title: 'OpenInvitations' }),
          ...adminErrors,
        },
      },
    },
    async ({ params }, reply) =>
      sendJson(reply, { rows: await listInvitations(db, params.publisherId, clock.now()) }),
  );

  app.post(
    '/publishers/:publisherId/invitations',
    {
      config: { staff: 'team', fresh: true, people: true },
      schema: {
        operationId: 'invite',
        summary: 'Invite a person; earlier invitations of the address end',
        tags: ['Team'],
        params: publisherPath,
        body: Type.Object({ email: text(255), role }, closed),
        response: {
          200: Type.Object(
            {
              invitationId: Type.String(),
              email: Type.String(),
              expiresAt: time('Expiration time.'),
              url: nullable(
                Type.String({ description: 'Link to pass on, shown once; null when it was mailed.' }),
              ),
            },
            { title: 'SentInvitation' },
          ),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const now = clock.now();
      const invited = await invite(db, request.actor, { ...request.body, publisherId }, now);
      const url = await mailInvitation(
        db,
        { ...invited, publisherId, invitedBy: staffOf(request).name },
        { origin: linkOrigin(signIn, request), sendMail: signIn.sendMail, now },
      );
      const { token: _, ...shown } = invited;
      return sendJson(reply, { ...shown, url });
    },
  );

  app.delete(
    '/publishers/:publisherId/invitations/:invitationId',
    {
      config: { staff: 'team', fresh: true, people: true },
      schema: {
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        tags: ['Team'],
        params: Type.Object({ ...publisherPath.properties, invitationId: Type.String({ maxLength: 64 }) }),
        response: { 200: Type.Object({}, { title: 'WithdrawnInvitation' }), ...adminErrors },
      },
    },
    async ({ params, actor }, reply) => {
      await revokeInvitation(db, actor, params, clock.now());
      return sendJson(reply, {});
    },
  );
}
