import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
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

export function listBountiesRoute(app: App, { db }: { db: Db }): void {
  operation(
    app,
    ['get', '/v1/bounties', 'listBounties'],
    {
      config: { key: 'public', group: 'as manage' },
      summary: 'List bounties',
      description: "Returns a page of a group's upcoming, open and past bounties, earliest start first.",
      tags: bountyTags,
      query: { groupId, page: pageNumber, pageSize },
      answer: Type.Object(
        { ...pagingFields, bounties: Type.Array(bountyRecord) },
        { title: 'BountyPage', description: 'A page of bounties.' },
      ),
      errors: {
        400: errorBody('InvalidPage, InvalidPageSize or InvalidInput.'),
        404: groupNotFound,
        ...commonErrors,
      },
    },
    async ({ principal, group, query }) => {
      const { page = 1, pageSize = 10 } = query;
      const { publisherId } = principal;
      const { groupId, name } = group;
      const found = await pageBounties(db, { publisherId, groupId, page, pageSize });
      return {
        groupId,
        groupName: name,
        currentPage: page,
        currentPageSize: pageSize,
        ...found,
      };
    },
  );
}
