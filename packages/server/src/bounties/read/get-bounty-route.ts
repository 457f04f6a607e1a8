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
import { toBountyId } from '../../platform/ids.ts';
import { bountyRecord, bountyTags, groupNotFound, progressRecord } from './bounty-record.ts';
import { getBounty } from './get-bounty.ts';
import { pageProgress } from './page-progress.ts';

export function getBountyRoute(app: App, { db, misses }: { db: Db; misses: LookUpMisses }): void {
  operation(
    app,
    ['get', '/v1/bounties/:bountyId', 'getBounty'],
    {
      config: { key: 'public', group: 'as manage' },
      summary: 'Get a bounty',
      description:
        "Returns a bounty of the group. With `includeProgress`, also returns a page of approved, visible members' progress, in the order the members joined.",
      tags: bountyTags,
      path: { bountyId: text(255, 'Id of the bounty.') },
      query: {
        groupId,
        includeProgress: Type.Optional(
          Type.Boolean({ default: false, description: "Whether to include the members' progress." }),
        ),
        page: pageNumber,
        pageSize,
      },
      answer: Type.Object(
        {
          groupId: pagingFields.groupId,
          groupName: pagingFields.groupName,
          bounty: bountyRecord,
          progress: Type.Optional(
            Type.Object(
              {
                currentPage: pagingFields.currentPage,
                currentPageSize: pagingFields.currentPageSize,
                totalCount: pagingFields.totalCount,
                data: Type.Array(progressRecord),
              },
              { title: 'BountyProgressPage', description: "A page of the members' progress." },
            ),
          ),
        },
        { title: 'BountyDetail', description: "A bounty, optionally with the members' progress." },
      ),
      errors: {
        400: errorBody('BountyNotFound, InvalidPage, InvalidPageSize or InvalidInput.'),
        404: groupNotFound,
        ...commonErrors,
      },
    },
    async (request) => {
      const { includeProgress = false, page = 1, pageSize = 10 } = request.query;
      const { publisherId } = request.principal;
      const { groupId, name } = request.group;
      const bountyId = toBountyId(request.params.bountyId);
      const lookUp = () => getBounty(db, { publisherId, groupId, bountyId });
      const bounty = await misses.limitPublic(request, lookUp);
      if (!includeProgress) return { groupId, groupName: name, bounty };
      const { progress, totalCount } = await pageProgress(db, { publisherId, bountyId, page, pageSize });
      return {
        groupId,
        groupName: name,
        bounty,
        progress: { currentPage: page, currentPageSize: pageSize, totalCount, data: progress },
      };
    },
  );
}
