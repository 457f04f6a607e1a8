import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import {
  commonErrors,
  errorBody,
  groupId,
  pageNumber,
  pagingFields,
} from '../../platform/http/schemas/schemas.ts';
import { namesOf } from '../../publishers/programs.ts';
import { listMembers } from '../read/list-members.ts';
import { defaultsOf, groupDefaults, memberRecord, withGroupDefaults } from '../read/member-record.ts';

export function listMembersRoute(app: App, { db }: { db: Db }): void {
  operation(
    app,
    ['get', '/v1/manage/members', 'listMembers'],
    {
      config: { key: 'public', group: 'as manage', defaultPageSize: 100 },
      summary: 'List members',
      description: 'The approved, visible members of a group, in the order they joined.',
      tags: ['Members'],
      query: {
        groupId,
        page: pageNumber,
        pageSize: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'Entries per page.' }),
        ),
      },
      answer: Type.Object(
        { ...pagingFields, ...groupDefaults, members: Type.Array(memberRecord) },
        { title: 'MemberPage', description: 'A page of members.' },
      ),
      errors: {
        400: errorBody('InvalidPage, InvalidPageSize or InvalidInput.'),
        404: errorBody('InvalidGroup: no group of the publisher has this groupId.'),
        ...commonErrors,
      },
    },
    async (request) => {
      const { page = 1, pageSize = 100 } = request.query;
      const { group } = request;
      const { publisherId } = request.principal;
      const { members, totalCount } = await listMembers(db, {
        publisherId,
        group,
        which: { visible: true },
        page,
        pageSize,
      });
      const records = members.map((member) => withGroupDefaults(member, group));
      return {
        ...namesOf(group),
        ...defaultsOf(group),
        currentPage: page,
        currentPageSize: pageSize,
        totalCount,
        members: records,
      };
    },
  );
}
