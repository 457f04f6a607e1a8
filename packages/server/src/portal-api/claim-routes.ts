import { Type } from 'typebox';
import { issueAuthCode } from '../linking/issue-auth-code.ts';
import { LinkAttempts } from '../linking/link-attempts.ts';
import type { App } from '../platform/http/app-type.ts';
import { time } from '../platform/http/schemas/fields.ts';
import { text } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import { claimWithCode, previewClaim } from '../portal/claim-with-code.ts';
import type { Portal } from '../portal/create-portal.ts';
import { accountsOf, sessionOf } from '../portal/require-portal.ts';
import { sourceOf } from './browser-of.ts';
import { portalOperations } from './portal-operations.ts';
import { publisherOfCreator } from './schemas.ts';

/** Wrong auth codes per minute that a person may type. */
const missesPerMinute = 5;

const typed = Type.Object({ authCode: text(64, 'Auth code, as the creator typed it.') }, closed);
const claim = {
  accountId: Type.String(),
  name: Type.String({ description: 'Name of the creator account.' }),
  publishers: Type.Array(publisherOfCreator, {
    description: 'Publishers whose codes, balances and history of this account the person sees.',
  }),
};

export function claimRoutes(app: App, portal: Portal, authCodeSecret: Buffer): void {
  const operation = portalOperations(app, 'Accounts');
  const { db, clock } = portal;
  const attempts = new LinkAttempts(
    missesPerMinute,
    'Too many wrong codes. Check the code, and try again in a minute.',
    clock,
  );
  operation(
    ['post', '/claims/preview', 'previewClaim'],
    {
      of: 'signed-in',
      summary: 'Get the creator account of an auth code, without connecting it',
      description:
        'Connecting it shows everything about this account to the signed-in person, and to no one else.',
      body: typed,
      answer: Type.Object(
        {
          ...claim,
          isOwn: Type.Boolean({ description: 'True if the account is already connected to this person.' }),
        },
        { title: 'ClaimPreview' },
      ),
    },
    async (request) => {
      const { userId } = sessionOf(request);
      const { authCode } = request.body;
      const now = clock.now();
      return attempts.attempt(userId, () => previewClaim(db, { userId, authCode, authCodeSecret, now }));
    },
  );

  operation(
    ['post', '/auth-codes', 'issueAuthCode'],
    {
      of: 'publisher',
      summary: 'Issue an auth code for the creator account at a publisher',
      description:
        'Another publisher, or its game, uses the code once, to link a player to the account. A new code replaces the previous one. If several of the accounts belong to the publisher, the code is for the one that was connected first.',
      answer: Type.Object(
        {
          accountName: Type.String({ description: 'Name of the creator account.' }),
          authCode: Type.String({ description: 'Code in the form `XXXX-XXXX`. It is shown only here.' }),
          expiresAt: time('When the code expires.'),
        },
        { title: 'IssuedAuthCode' },
      ),
    },
    async (request) => {
      const [account] = accountsOf(request);
      if (account === undefined) throw new Error('the session has no account at the publisher');
      const issuing = { db, secret: authCodeSecret, now: clock.now() };
      return { accountName: account.name, ...(await issueAuthCode(issuing, account.accountId)) };
    },
  );

  operation(
    ['post', '/claims', 'claim'],
    {
      of: 'signed-in',
      summary: 'Connect the creator account of an auth code',
      description:
        'Uses up the code. From then on, the account is connected to this person only, and no other account can claim it.',
      body: typed,
      answer: Type.Object(claim, { title: 'ConnectedAccount' }),
    },
    async (request) => {
      const { userId } = sessionOf(request);
      const { authCode } = request.body;
      const claiming = { userId, authCode, authCodeSecret, source: sourceOf(request), now: clock.now() };
      const { isOwn: _, ...connected } = await attempts.attempt(userId, () => claimWithCode(db, claiming));
      return connected;
    },
  );
}
