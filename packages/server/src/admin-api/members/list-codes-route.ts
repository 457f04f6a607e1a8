import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { codeRefusals, listCodes } from '../../members/read/list-codes.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import type { Pages } from '../../platform/page.ts';
import { adminErrors, groupQuery, nullable, pageOf, pageQuery, publisherPath, time } from '../schemas.ts';
import { codeScope, memberStatus, memberTags } from './member-schemas.ts';

const listedCode = Type.Object(
  {
    code: Type.String({ description: "In the member's own spelling." }),
    memberId: Type.String({ description: 'Member who has the code.' }),
    name: Type.String(),
    groupId: Type.String(),
    groupName: Type.String(),
    scope: codeScope,
    status: memberStatus,
    isPrimary: Type.Boolean(),
    isGenerated: Type.Boolean(),
    since: time('When its creator got it.'),
    refusedFor: nullable(
      Type.Union(
        codeRefusals.map((refusal) => Type.Literal(refusal)),
        {
          description:
            'Reason why it is not credited in the group: the code is not approved, its creator is not, or a code of the group wins over it. Null if it is credited.',
        },
      ),
    ),
  },
  { title: 'ListedCode' },
);

/** Registers the route that lists codes. */
export function listCodesRoute(app: App, { database: { db } }: Service, pages: Pages): void {
  app.get(
    '/publishers/:publisherId/codes',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listCodes',
        summary: 'List codes',
        description:
          'In alphabetical order, each with its creator and the reason if it is not credited. A global code is listed once for each group of its creator.',
        tags: memberTags,
        params: publisherPath,
        querystring: Type.Object({
          ...groupQuery,
          q: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 255,
              pattern: storable,
              description: 'Prefix of the code.',
            }),
          ),
          credits: Type.Optional(
            Type.Boolean({
              description: 'True for codes that are credited now, false for codes that are not.',
            }),
          ),
          ...pageQuery,
        }),
        response: { 200: pageOf(listedCode, 'CodePage'), ...adminErrors },
      },
    },
    async ({ params: { publisherId }, query }, reply) => {
      const { group: groupId, q: beginning, credits, cursor = null, limit: size = 50 } = query;
      const filter = { publisherId, groupId, beginning, credits };
      return sendJson(reply, await listCodes(db, pages, filter, { cursor, size }));
    },
  );
}
