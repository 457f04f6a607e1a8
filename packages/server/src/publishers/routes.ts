import { Type } from 'typebox';
import type { Db } from '../platform/database/database.ts';
import type { App } from '../platform/http/app-type.ts';
import { operation } from '../platform/http/operation.ts';
import { errorBody, secretErrors } from '../platform/http/schemas/schemas.ts';
import { loadProgram } from './programs.ts';

export function groupRoutes(app: App, db: Db): void {
  listGroupsRoute(app, db);
}

/** Registers operation 9 of the contract. */
export function listGroupsRoute(app: App, db: Db): void {
  operation(
    app,
    ['get', '/v1/manage/groups', 'listGroups'],
    {
      config: { key: 'secret' },
      summary: 'List groups',
      description: 'All groups of the publisher, even if the key is scoped to one group.',
      tags: ['Groups'],
      answer: Type.Object(
        {
          groups: Type.Array(
            Type.Object(
              {
                name: Type.String(),
                id: Type.String({ description: 'Value to send as groupId in other operations.' }),
                isDefault: Type.Boolean({ description: 'Used for requests without a groupId.' }),
              },
              { title: 'Group', description: 'A creator group.' },
            ),
          ),
        },
        { title: 'Groups', description: 'All groups of the publisher.' },
      ),
      errors: { 400: errorBody('InvalidInput.'), ...secretErrors },
    },
    async (request) => {
      const program = await loadProgram(db, request.principal.publisherId);
      const groups = [...(program?.groups.values() ?? [])];
      return {
        groups: groups.map(({ name, groupId, isDefault }) => ({ name, id: groupId, isDefault })),
      };
    },
  );
}
