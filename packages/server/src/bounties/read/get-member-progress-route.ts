import { Type } from 'typebox';
import type { LookUpMisses } from '../../api-keys/look-up-misses.ts';
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
  text,
} from '../../platform/http/schemas/schemas.ts';
import { toAccountId } from '../../platform/ids.ts';
import { bountyTags, groupNotFound, namedProgressRecord } from './bounty-record.ts';
import { pageMemberProgress } from './page-member-progress.ts';

export function getMemberProgressRoute(app: App, { db, misses }: { db: Db; misses: LookUpMisses }): void {
  operation(
    app,
    ['get', '/v1/bounties/member/id/:memberId', 'getMemberProgress'],
    {
      config: { key: 'public', group: 'as manage', refusals: { MemberNotFound: { status: 400 } } },
      summary: "Get a member's bounty progress",
      description:
        "Returns a page of the group's bounties that an approved member has begun, earliest start first, with the member's progress.",
      tags: bountyTags,
      path: { memberId: text(255, 'Account id of the member.') },
      query: { groupId, page: pageNumber, pageSize },
      answer: Type.Object(
        {
          ...pagingFields,
          memberId: Type.String(),
          playerId: Type.Optional(Type.String()),
          progress: Type.Array(namedProgressRecord),
        },
        { title: 'MemberProgressPage', description: "A page of a member's progress." },
      ),
      errors: {
        400: errorBody('MemberNotFound, InvalidPage, InvalidPageSize or InvalidInput.'),
        404: groupNotFound,
        ...commonErrors,
      },
    },
    async (request) => {
      const { page = 1, pageSize = 10 } = request.query;
      const { publisherId } = request.principal;
      const { groupId, name } = request.group;
      const memberId = toAccountId(request.params.memberId);
      const lookUp = () => pageMemberProgress(db, { publisherId, groupId, memberId, page, pageSize });
      const { totalCount, ...member } = await misses.limitPublic(request, lookUp);
      return {
        groupId,
        groupName: name,
        currentPage: page,
        currentPageSize: pageSize,
        totalCount,
        ...member,
      };
    },
  );
}
