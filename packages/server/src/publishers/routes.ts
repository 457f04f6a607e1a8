import { Type } from 'typebox';
import type { Db } from '../platform/database/database.ts';
import { sendJson } from '../platform/http/answers/error-answers.ts';
import type { App } from '../platform/http/app-type.ts';
import { errorBody, secretErrors } from '../platform/http/schemas/schemas.ts';
import { loadProgram } from './programs.ts';

export function groupRoutes(app: App, db: Db): void {
  listGroupsRoute(app, db);
}

/** Registers operation 9 of the contract. */
export function listGroupsRoute(app: App, db: Db): void {
  app.get(
    '/v1/manage/groups',
    {
      config: { key: 'secret' },
      schema: {
        operationId: 'listGroups',
        summary: 'List groups',
        description: 'All groups of the publisher, even if the key is scoped to one group.',
        tags: ['Groups'],
        response: {
          200: Type.Object(
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
          400: errorBody('InvalidInput.'),
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const program = await loadProgram(db, request.principal.publisherId);
      const groups = [...(program?.groups.values() ?? [])];
      return sendJson(reply, {
        groups: groups.map(({ name, groupId, isDefault }) => ({ name, id: groupId, isDefault })),
      });
    },
  );
}
