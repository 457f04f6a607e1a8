import { Type } from 'typebox';
import { invite } from '../../accounts/people/invite.ts';
import { listInvitations } from '../../accounts/people/list-invitations.ts';
import { mailInvitation } from '../../accounts/people/mail-invitation.ts';
import { revokeInvitation } from '../../accounts/people/revoke-invitation.ts';
import { staffOf } from '../../accounts/require-staff.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, time } from '../schemas.ts';
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

export function teamInvitationRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Team');
  const { db, clock } = signIn;
  operation(
    ['get', '/publishers/:publisherId/invitations', 'listInvitations'],
    {
      may: 'team',
      summary: 'List open invitations',
      answer: Type.Object({ rows: Type.Array(invitation) }, { title: 'OpenInvitations' }),
    },
    async ({ params }) => ({ rows: await listInvitations(db, params.publisherId, clock.now()) }),
  );

  operation(
    ['post', '/publishers/:publisherId/invitations', 'invite'],
    {
      may: 'team',
      fresh: true,
      people: true,
      summary: 'Invite a person and revoke earlier invitations to the address',
      body: Type.Object({ email: text(255), role }, closed),
      answer: Type.Object(
        {
          invitationId: Type.String(),
          email: Type.String(),
          expiresAt: time('Expiration time.'),
          url: nullable(
            Type.String({
              description: 'Link to pass on, shown only once; null if it was emailed.',
            }),
          ),
        },
        { title: 'SentInvitation' },
      ),
    },
    async (request) => {
      const { publisherId } = request.params;
      const now = clock.now();
      const invited = await invite(db, request.actor, { ...request.body, publisherId }, now);
      const url = await mailInvitation(
        db,
        { ...invited, publisherId, invitedBy: staffOf(request).name },
        {
          origin: linkOrigin(signIn, request),
          publicUrl: signIn.publicUrl,
          sendMail: signIn.sendMail,
          now,
        },
      );
      const { token: _, ...shown } = invited;
      return { ...shown, url };
    },
  );

  operation(
    ['delete', '/publishers/:publisherId/invitations/:invitationId', 'withdrawInvitation'],
    {
      may: 'team',
      fresh: true,
      people: true,
      summary: 'Withdraw an invitation',
      path: { invitationId: Type.String({ maxLength: 64 }) },
      answer: Type.Object({}, { title: 'WithdrawnInvitation' }),
    },
    async ({ params, actor }) => {
      await revokeInvitation(db, actor, params, clock.now());
      return {};
    },
  );
}
