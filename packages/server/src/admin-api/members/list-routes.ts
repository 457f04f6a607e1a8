import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { countMembers } from '../../members/read/count-members.ts';
import { listByStatus } from '../../members/read/list-by-status.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import type { Pages } from '../../platform/page.ts';
import { adminErrors, groupQuery, pageOf, pageQuery, publisherPath } from '../schemas.ts';
import { boundedCount, listedMember, memberStatus, memberTags } from './member-schemas.ts';

/** Registers the routes that list and count creators. */
export function listMemberRoutes(app: App, { database: { db } }: Service, pages: Pages): void {
  app.get(
    '/publishers/:publisherId/members',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listCreators',
        summary: 'List creators by status',
        description: 'Creators of one status, latest to join first.',
        tags: memberTags,
        params: publisherPath,
        querystring: Type.Object({
          status: Type.Optional(memberStatus),
          ...groupQuery,
          tier: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a tier.' })),
          q: Type.Optional(
            Type.String({
              minLength: 2,
              maxLength: 255,
              pattern: storable,
              description: 'Prefix of the name or of a code, or a whole id.',
            }),
          ),
          ...pageQuery,
        }),
        response: { 200: pageOf(listedMember, 'CreatorPage'), ...adminErrors },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { status = 'Approved', group: groupId, tier: tierId, q: typed } = request.query;
      const { cursor = null, limit: size = 50 } = request.query;
      const filter = { publisherId, status, groupId, tierId, typed };
      return sendJson(reply, await listByStatus(db, pages, filter, { cursor, size }));
    },
  );
  app.get(
    '/publishers/:publisherId/members/counts',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'countCreators',
        summary: 'Count creators by status',
        tags: memberTags,
        params: publisherPath,
        querystring: Type.Object(groupQuery),
        response: {
          200: Type.Object(
            { Approved: boundedCount, Pending: boundedCount, Removed: boundedCount },
            { title: 'CreatorCounts' },
          ),
          ...adminErrors,
        },
      },
    },
    async (request, reply) =>
      sendJson(reply, await countMembers(db, request.params.publisherId, request.query.group)),
  );
}
