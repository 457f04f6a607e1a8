import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import {
  commonErrors,
  errorBody,
  groupId,
  pageNumber,
  pageSize,
  pagingFields,
} from '../../platform/http/schemas/schemas.ts';
import { bountyRecord, bountyTags, groupNotFound } from './bounty-record.ts';
import { pageBounties } from './page-bounties.ts';

/** Registers the route that lists bounties. */
export function listBountiesRoute(app: App, { db }: { db: Db }): void {
  app.get(
    '/v1/bounties',
    {
      config: { key: 'public', group: 'as manage' },
      schema: {
        operationId: 'listBounties',
        summary: 'List bounties',
        description:
          'Returns a page of the upcoming, open and past bounties of a group, ordered by their start.',
        tags: bountyTags,
        querystring: Type.Object({ groupId, page: pageNumber, pageSize }),
        response: {
          200: Type.Object(
            { ...pagingFields, bounties: Type.Array(bountyRecord) },
            { title: 'BountyPage', description: 'A page of bounties.' },
          ),
          400: errorBody('InvalidPage, InvalidPageSize or InvalidInput.'),
          404: groupNotFound,
          ...commonErrors,
        },
      },
    },
    async ({ principal, group, query }, reply) => {
      const { page = 1, pageSize = 10 } = query;
      const { publisherId } = principal;
      const { groupId, name } = group;
      const found = await pageBounties(db, { publisherId, groupId, page, pageSize });
      return sendJson(reply, {
        groupId,
        groupName: name,
        currentPage: page,
        currentPageSize: pageSize,
        ...found,
      });
    },
  );
}
