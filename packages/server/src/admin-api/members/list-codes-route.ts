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
    memberId: Type.String({ description: 'Who has it.' }),
    name: Type.String(),
    groupId: Type.String(),
    groupName: Type.String(),
    scope: codeScope,
    status: memberStatus,
    isPrimary: Type.Boolean(),
    isGenerated: Type.Boolean(),
    since: time('Since when its creator has it.'),
    refusedFor: nullable(
      Type.Union(
        codeRefusals.map((refusal) => Type.Literal(refusal)),
        {
          description:
            'Why it credits nobody in the group: the code is not approved, its creator is not, or a code of the group goes before it.',
        },
      ),
    ),
  },
  { title: 'ListedCode' },
);

export function listCodesRoute(app: App, { database: { db } }: Service, pages: Pages): void {
  app.get(
    '/publishers/:publisherId/codes',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listCodes',
        summary: 'List codes',
        description:
          'In the order of their letters, with whom each credits, or why it credits nobody. A global one stands once for each group of its creator.',
        tags: memberTags,
        params: publisherPath,
        querystring: Type.Object({
          ...groupQuery,
          q: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 255,
              pattern: storable,
              description: 'What the code begins with.',
            }),
          ),
          credits: Type.Optional(
            Type.Boolean({ description: 'Those alone that credit somebody now, or those that do not.' }),
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
