import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { closed } from '../platform/inputs.ts';
import type { Portal } from '../portal/create-portal.ts';
import { connectNamedAccount, listNamedAccounts, refuseNamedAccount } from '../portal/named-accounts.ts';
import { sessionOf } from '../portal/require-portal.ts';
import { sourceOf } from './browser-of.ts';
import { portalOperations } from './portal-operations.ts';
import { publisherOfCreator } from './schemas.ts';

const path = {
  signInMethodId: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Id of the person’s sign-in method.',
  }),
};
const namedAccount = Type.Object(
  {
    signInMethodId: Type.String({ description: 'Sign-in method that the publisher names.' }),
    name: Type.String({ description: 'Name of the creator account.' }),
    provider: Type.String({ description: "Provider's name on buttons." }),
    publishers: Type.Array(publisherOfCreator, { description: 'Publishers of the creator account.' }),
  },
  { title: 'NamedAccount' },
);

/** Registers the operations on creator accounts for which publishers name the person's provider accounts. */
export function namedAccountRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Accounts');
  const { db, clock, providers } = portal;
  const nameOf = (id: string): string => providers.find((each) => each.id === id)?.name ?? id;

  operation(
    ['get', '/named-accounts', 'listNamedAccounts'],
    {
      of: 'signed-in',
      summary: 'List the creator accounts that publishers name one of the person’s provider accounts for',
      description: 'Contains only accounts that are not connected yet. Up to 50.',
      answer: Type.Object({ rows: Type.Array(namedAccount) }, { title: 'NamedAccounts' }),
    },
    async (request) => {
      const rows = await listNamedAccounts(db, { userId: sessionOf(request).userId, providers });
      return { rows: rows.map((row) => ({ ...row, provider: nameOf(row.provider) })) };
    },
  );

  operation(
    ['post', '/named-accounts/:signInMethodId/connect', 'connectNamedAccount'],
    {
      of: 'signed-in',
      summary: 'Connect a creator account that a publisher names one of the person’s provider accounts for',
      description:
        'At each of its publishers, the creator is under review until the publisher ends it, so that a stolen provider account is not paid.',
      path,
      body: Type.Object({}, closed),
      answer: Type.Object({}, { title: 'ConnectedNamedAccount' }),
    },
    async (request) => {
      const person = { userId: sessionOf(request).userId, providers };
      const { signInMethodId } = request.params;
      await connectNamedAccount(db, person, {
        signInMethodId,
        source: sourceOf(request),
        now: clock.now(),
      });
      return {};
    },
  );

  operation(
    ['post', '/named-accounts/:signInMethodId/refuse', 'refuseNamedAccount'],
    {
      of: 'signed-in',
      summary: 'Say that a creator account isn’t the person’s',
      description:
        'Removes the person’s provider account from the creator account. The publishers’ audit logs tell of it.',
      path,
      body: Type.Object({}, closed),
      answer: Type.Object({}, { title: 'RefusedNamedAccount' }),
    },
    async (request) => {
      const person = { userId: sessionOf(request).userId, providers };
      const { signInMethodId } = request.params;
      await refuseNamedAccount(db, person, { signInMethodId, source: sourceOf(request) });
      return {};
    },
  );
}
