import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { visible } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import { Refusal } from '../platform/refusal.ts';
import { changeName } from '../portal/change-name.ts';
import type { Portal } from '../portal/create-portal.ts';
import { accountsOf, sessionOf } from '../portal/require-portal.ts';
import { sourceOf } from './browser-of.ts';
import { idsOf } from './membership-fields.ts';
import { portalOperations } from './portal-operations.ts';

/** Registers the change of the creator's name. */
export function profileRoutes(app: App, { db, limits }: Portal): void {
  const operation = portalOperations(app, 'Accounts');
  operation(
    ['post', '/name', 'changeName'],
    {
      of: 'publisher',
      summary: 'Change the creator’s name at a publisher',
      description:
        'Changes all accounts of the signed-in person at the publisher. If such an account is also a member at other publishers, its name changes there, too. A person can do this ten times a day. The publisher can change the name, too.',
      body: Type.Object(
        {
          name: Type.String({
            minLength: 1,
            maxLength: 255,
            pattern: visible,
            description: 'Name, which players may see.',
          }),
        },
        { ...closed, title: 'ChangedName' },
      ),
      answer: Type.Object({ name: Type.String() }, { title: 'NameOfCreator' }),
    },
    async (request) => {
      const name = request.body.name.trim();
      if (name === '') throw new Refusal('InvalidInput', 'Enter a name.', { path: ['name'] });
      limits.countRename(sessionOf(request).userId);
      await changeName(db, {
        publisherId: request.query.publisher,
        accountIds: idsOf(accountsOf(request)),
        name,
        source: sourceOf(request),
      });
      return { name };
    },
  );
}
