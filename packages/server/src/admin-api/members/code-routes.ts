import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { checkCode } from '../../members/read/check-code.ts';
import { codeChecks } from '../../members/read/judge-code.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import { adminErrors, groupQuery, nullable, time } from '../schemas.ts';
import { memberStatus, memberTags } from './member-schemas.ts';

const codeHolder = Type.Object(
  {
    memberId: Type.String(),
    name: Type.String(),
    groupId: Type.String(),
    groupName: Type.String(),
    scope: Type.Union([Type.Literal('group'), Type.Literal('global')]),
    code: Type.String({ description: "In the member's own spelling." }),
    isCodeApproved: Type.Boolean(),
    status: memberStatus,
    removedAt: nullable(time('')),
    removalReason: nullable(Type.String()),
  },
  { title: 'CodeHolder' },
);

/** What each check of recording says of a code; other screens show the same. */
export const checkedCode = Type.Object(
  {
    code: Type.String(),
    groupId: Type.String(),
    groupName: Type.String(),
    credited: nullable(codeHolder),
    holder: nullable(codeHolder),
    holders: Type.Array(codeHolder, { description: 'Everybody of the publisher who has it, in any group.' }),
    checks: Type.Array(
      Type.Object(
        {
          check: Type.Union(codeChecks.map((check) => Type.Literal(check))),
          verdict: Type.Union([Type.Literal('passed'), Type.Literal('failed'), Type.Literal('not asked')]),
          says: Type.String({ description: 'A sentence; empty where it was not asked.' }),
        },
        { title: 'CodeCheck' },
      ),
    ),
  },
  { title: 'CheckedCode', description: 'Whom a code credits in a group, or why it is refused.' },
);

export function codeRoutes(app: App, { database: { db }, programmes }: Service): void {
  app.get(
    '/publishers/:publisherId/codes/:code/check',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'checkCode',
        summary: 'Why a code credits somebody, or is refused',
        description: 'What each check of recording says, in the group, or in the default group.',
        tags: memberTags,
        params: Type.Object({
          publisherId: Type.String({ minLength: 1, maxLength: 255 }),
          code: Type.String({ minLength: 1, maxLength: 255, pattern: storable }),
        }),
        querystring: Type.Object(groupQuery),
        response: { 200: checkedCode, ...adminErrors },
      },
    },
    async (request, reply) => {
      const { publisherId, code } = request.params;
      const group = await resolveGroup(programmes, publisherId, null, request.query.group);
      return sendJson(reply, await checkCode(db, { publisherId, group }, code));
    },
  );
}
