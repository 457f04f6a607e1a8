import { Type } from 'typebox';
import type { LookUpMisses } from '../../api-keys/look-up-misses.ts';
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
  text,
} from '../../platform/http/schemas/schemas.ts';
import { toAccountId } from '../../platform/ids.ts';
import { bountyTags, groupNotFound, namedProgressRecord } from './bounty-record.ts';
import { pageMemberProgress } from './page-member-progress.ts';

/** Registers the route that returns a member's progress. */
export function getMemberProgressRoute(app: App, { db, misses }: { db: Db; misses: LookUpMisses }): void {
  app.get(
    '/v1/bounties/member/id/:memberId',
    {
      config: { key: 'public', group: 'as manage', refusals: { MemberNotFound: { status: 400 } } },
      schema: {
        operationId: 'getMemberProgress',
        summary: "Get a member's bounty progress",
        description:
          "Returns a page of an approved member's progress with the bounties of the group that the member has begun, ordered by the bounties' start.",
        tags: bountyTags,
        params: Type.Object({ memberId: text(255, 'Account id of the member.') }),
        querystring: Type.Object({ groupId, page: pageNumber, pageSize }),
        response: {
          200: Type.Object(
            {
              ...pagingFields,
              memberId: Type.String(),
              playerId: Type.Optional(Type.String()),
              progress: Type.Array(namedProgressRecord),
            },
            { title: 'MemberProgressPage', description: "A page of a member's progress." },
          ),
          400: errorBody('MemberNotFound, InvalidPage, InvalidPageSize or InvalidInput.'),
          404: groupNotFound,
          ...commonErrors,
        },
      },
    },
    async (request, reply) => {
      const { page = 1, pageSize = 10 } = request.query;
      const { publisherId } = request.principal;
      const { groupId, name } = request.group;
      const memberId = toAccountId(request.params.memberId);
      const lookUp = () => pageMemberProgress(db, { publisherId, groupId, memberId, page, pageSize });
      const { totalCount, ...member } = await misses.limitPublic(request, lookUp);
      return sendJson(reply, {
        groupId,
        groupName: name,
        currentPage: page,
        currentPageSize: pageSize,
        totalCount,
        ...member,
      });
    },
  );
}
