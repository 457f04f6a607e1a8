import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { oneOf, time } from '../platform/http/schemas/fields.ts';
import type { Portal } from '../portal/create-portal.ts';
import { proofs, readOwnAccounts, readPublishersOf } from '../portal/own-accounts.ts';
import { sessionOf } from '../portal/require-portal.ts';
import { portalOperations } from './portal-operations.ts';
import { publisherOfCreator } from './schemas.ts';

const account = Type.Object(
  {
    accountId: Type.String(),
    name: Type.String(),
    proof: oneOf(proofs, {
      title: 'Proof',
      description:
        'invitation: a publisher invited the person to the account. auth-code: the person typed an auth code of the account.',
    }),
    provenAt: time('When the account was connected.'),
    publishers: Type.Array(publisherOfCreator, { description: 'Publishers of the account, by name.' }),
  },
  { title: 'CreatorAccount' },
);

export function accountRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Accounts');
  operation(
    ['get', '/accounts', 'listAccounts'],
    {
      of: 'signed-in',
      summary: 'List the creator accounts of the signed-in person, with their publishers',
      description: 'The publishers are the values for the parameter `publisher` of the other operations.',
      answer: Type.Object({ rows: Type.Array(account) }, { title: 'CreatorAccounts' }),
    },
    async (request) => {
      const accounts = await readOwnAccounts(portal.db, sessionOf(request).userId);
      const publishers = await readPublishersOf(
        portal.db,
        accounts.map(({ accountId }) => accountId),
      );
      return {
        rows: accounts.map((each) => ({ ...each, publishers: publishers.get(each.accountId) ?? [] })),
      };
    },
  );
}
