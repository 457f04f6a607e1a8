import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { codeRefusals } from '../../members/read/code-refusals.ts';
import { listCodes } from '../../members/read/list-codes.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import type { Pages } from '../../platform/page.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery, nullable, oneOf, pageOf, pageQuery, time } from '../schemas.ts';
import { codeScope, memberStatus } from './member-schemas.ts';

const listedCode = Type.Object(
  {
    code: Type.String({ description: "Code in the member's own spelling." }),
    memberId: Type.String({ description: 'Member who has the code.' }),
    name: Type.String(),
    groupId: Type.String(),
    groupName: Type.String(),
    scope: codeScope,
    status: memberStatus,
    isPrimary: Type.Boolean(),
    isGenerated: Type.Boolean(),
    since: time('When the creator got the code.'),
    refusedFor: nullable(
      oneOf(codeRefusals, {
        description:
          'Reason the code is not credited in the group: the code or its creator is not approved, or a group code takes precedence over it. Null if it is credited.',
      }),
    ),
  },
  { title: 'ListedCode' },
);

export function listCodesRoute(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['get', '/publishers/:publisherId/codes', 'listCodes'],
    {
      may: 'read',
      summary: 'List codes',
      description:
        'Lists codes in alphabetical order, each with its creator. If a code currently credits no one, includes the reason. A global code is listed once for each group of its creator.',
      query: {
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
      },
      answer: pageOf(listedCode, 'CodePage'),
    },
    async ({ params: { publisherId }, query }) => {
      const { group: groupId, q: beginning, credits, cursor = null, limit: size = 50 } = query;
      const filter = { publisherId, groupId, beginning, credits };
      return await listCodes(db, pages, filter, { cursor, size });
    },
  );
}
