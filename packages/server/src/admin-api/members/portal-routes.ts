import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { toAccountId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inviteCreator } from '../../portal/invite-creator.ts';
import { proofs } from '../../portal/own-accounts.ts';
import { creatorInvitationMail } from '../../portal/portal-mails.ts';
import { disconnectMember, readPortalOfMember } from '../../portal/portal-of-member.ts';
import { mailBrand } from '../../publishers/brand/mail-brand.ts';
import { liveOf } from '../../publishers/sandboxes.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, oneOf, time } from '../schemas.ts';
import { memberPath } from './member-schemas.ts';

/** Registers the operations by which a publisher connects its creators' accounts to the portal. */
export function portalRoutes(app: App, { portal, database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['get', '/publishers/:publisherId/members/:memberId/portal', 'getPortalOfCreator'],
    {
      may: 'read',
      summary: 'Get whether a person sees the creator’s account in the portal',
      path: memberPath.properties,
      answer: Type.Object(
        {
          isOn: Type.Boolean({
            description:
              "False if the portal is off, and in a sandbox, from which creators can't be invited.",
          }),
          connected: nullable(
            Type.Object(
              {
                proof: oneOf(proofs, { description: 'How the person proved that the account is theirs.' }),
                since: time('When the account was connected.'),
              },
              { title: 'PortalConnection' },
            ),
          ),
          invitation: nullable(
            Type.Object(
              {
                email: Type.String(),
                invitedBy: Type.String(),
                createdAt: time('When the invitation was sent.'),
                expiresAt: time('Expiration time.'),
              },
              { title: 'OpenPortalInvitation' },
            ),
          ),
        },
        { title: 'PortalOfCreator' },
      ),
    },
    async ({ params: { publisherId, memberId } }) => ({
      isOn: portal.url !== null && (await liveOf(db, publisherId)) === null,
      ...(await readPortalOfMember(db, { publisherId, accountId: toAccountId(memberId) }, clock.now())),
    }),
  );

  operation(
    ['post', '/publishers/:publisherId/members/:memberId/portal-invitations', 'inviteCreatorToPortal'],
    {
      may: 'members',
      summary: 'Invite a creator to the portal by email',
      description:
        'The person who opens the emailed link sees the account’s earnings. Earlier invitations for the account stop working. The account must belong only to this publisher.',
      path: memberPath.properties,
      body: Type.Object({ email: text(255) }, { ...closed, title: 'NewPortalInvitation' }),
      answer: Type.Object(
        {
          email: Type.String(),
          expiresAt: time('Expiration time.'),
          isMailed: Type.Boolean({
            description: 'False if the mail server did not accept the email. Invite the creator again.',
          }),
        },
        { title: 'PortalInvitation' },
      ),
    },
    async ({ params: { publisherId, memberId }, body, actor }) => {
      if (portal.url === null)
        throw new Refusal(
          'Conflict',
          "The creators' portal is off. The operator of the service can turn it on with PORTAL_URL.",
        );
      const accountId = toAccountId(memberId);
      const invitation = { publisherId, accountId, email: body.email };
      const { email, token, expiresAt, accountName } = await inviteCreator(
        db,
        actor,
        invitation,
        clock.now(),
      );
      const brand = await mailBrand(db, publisherId, portal.publicUrl);
      const isMailed = await portal.sendMail(
        creatorInvitationMail({ to: email, brand, accountName, portalUrl: portal.url, token }),
      );
      return { email, expiresAt, isMailed };
    },
  );

  operation(
    ['delete', '/publishers/:publisherId/members/:memberId/portal', 'disconnectCreatorFromPortal'],
    {
      may: 'members',
      summary: 'Disconnect a creator’s account from the portal, and withdraw its invitations',
      description:
        'The person who sees the account no longer does. Their other accounts and their sign-in stay. The account must belong only to this publisher.',
      path: memberPath.properties,
      answer: Type.Object({}, { title: 'DisconnectedCreator' }),
    },
    async ({ params: { publisherId, memberId }, actor }) => {
      await disconnectMember(db, actor, { publisherId, accountId: toAccountId(memberId) });
      return {};
    },
  );
}
