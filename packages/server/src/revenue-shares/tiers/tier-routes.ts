import { Type } from 'typebox';
import { listMembers } from '../../members/read/list-members.ts';
import { plainMemberRecord } from '../../members/read/member-record.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import {
  errorBody,
  groupId,
  pageNumber,
  pageSize,
  pagingFields,
  secretErrors,
} from '../../platform/http/schemas/schemas.ts';
import { toTierId } from '../../platform/ids.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { namesOf } from '../../publishers/programs.ts';
import { getTier } from './get-tier.ts';
import { listTiers } from './list-tiers.ts';

const tags = ['Tiers'];

/** Registers operation 7 of the contract. */
export function listTiersRoute(app: App, { db }: { db: Db }): void {
  operation(
    app,
    ['get', '/v1/manage/tiers', 'listTiers'],
    {
      config: { key: 'secret', group: 'as read' },
      summary: 'List tiers',
      description: 'Returns a page of the tiers of a group, with the number of members of each.',
      tags,
      query: { groupId, page: pageNumber, pageSize },
      answer: Type.Object(
        {
          ...pagingFields,
          groupTiers: Type.Array(
            Type.Object(
              {
                id: Type.String(),
                name: Type.String(),
                revShare: Type.Number({ description: 'Percentage: 20 means 20 percent.' }),
                memberCount: Type.Integer({ description: 'Number of members with any status.' }),
              },
              { title: 'Tier', description: 'A revenue-share tier.' },
            ),
          ),
        },
        { title: 'TierPage', description: 'A page of tiers.' },
      ),
      errors: {
        400: errorBody('InvalidGroup, InvalidPage, InvalidPageSize or InvalidInput.'),
        ...secretErrors,
      },
    },
    async (request) => {
      const { publisherId } = request.principal;
      const { page = 1, pageSize: size = 10 } = request.query;
      const { group } = request;
      const { tiers, totalCount } = await listTiers(
        db,
        { publisherId, groupId: group.groupId },
        { page, size },
      );
      return {
        ...namesOf(group),
        currentPage: page,
        currentPageSize: size,
        totalCount,
        groupTiers: tiers.map(({ tierId, name, shareMillionths, memberCount }) => ({
          id: tierId,
          name,
          revShare: millionthsToPercent(shareMillionths),
          memberCount,
        })),
      };
    },
  );
}

/** Registers operation 8 of the contract. */
export function getTierRoute(app: App, { db }: { db: Db }): void {
  operation(
    app,
    ['get', '/v1/manage/tiers/:tierId', 'getTier'],
    {
      config: { key: 'secret', group: 'as manage' },
      summary: 'Get a tier',
      description: 'Returns a tier with a page of its approved members.',
      tags,
      path: { tierId: Type.String({ description: 'Id of the tier.' }) },
      query: { groupId, page: pageNumber, pageSize },
      answer: Type.Object(
        {
          ...pagingFields,
          id: Type.String(),
          name: Type.String(),
          revShare: Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'Fraction: 0.2 means 20 percent.',
          }),
          members: Type.Array(plainMemberRecord),
        },
        { title: 'TierDetail', description: 'A tier with a page of its members.' },
      ),
      errors: {
        400: errorBody('InvalidPage, InvalidPageSize or InvalidInput.'),
        404: errorBody('InvalidGroup, or NotFound: the group has no such tier.'),
        ...secretErrors,
      },
    },
    async (request) => {
      const { publisherId } = request.principal;
      const { page = 1, pageSize: size = 10 } = request.query;
      const { group } = request;
      const tier = await getTier(db, publisherId, group.groupId, toTierId(request.params.tierId));
      const { members, totalCount } = await listMembers(db, {
        publisherId,
        group,
        which: { tierId: tier.tierId },
        page,
        pageSize: size,
      });
      return {
        ...namesOf(group),
        id: tier.tierId,
        name: tier.name,
        revShare: tier.shareMillionths / 1_000_000,
        currentPage: page,
        currentPageSize: size,
        totalCount,
        members,
      };
    },
  );
}
