import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { putMemberCode } from '../../members/change/put-member-code.ts';
import { removeCode } from '../../members/change/remove-code.ts';
import { checkCode } from '../../members/read/check-code.ts';
import { codeChecks } from '../../members/read/judge-code.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery, nullable, oneOf, time } from '../schemas.ts';
import { placeOf } from './member-routes.ts';
import { codeScope, memberDetail, memberPath, memberStatus } from './member-schemas.ts';
import { readMember } from './read-member.ts';

const codeHolder = Type.Object(
  {
    memberId: Type.String(),
    name: Type.String(),
    groupId: Type.String(),
    groupName: Type.String(),
    scope: codeScope,
    code: Type.String({ description: "Code in the member's own spelling." }),
    isCodeApproved: Type.Boolean(),
    status: memberStatus,
    removedAt: nullable(time('When the member was removed.')),
    removalReason: nullable(Type.String()),
  },
  { title: 'CodeHolder' },
);

export const checkedCode = Type.Object(
  {
    code: Type.String(),
    groupId: Type.String(),
    groupName: Type.String(),
    credited: nullable(codeHolder),
    holder: nullable(codeHolder),
    holders: Type.Array(codeHolder, {
      description: 'All members of the publisher who have the code, in any group.',
    }),
    checks: Type.Array(
      Type.Object(
        {
          check: oneOf(codeChecks),
          verdict: Type.Union([Type.Literal('passed'), Type.Literal('failed'), Type.Literal('not asked')]),
          says: Type.String({ description: 'One sentence; empty for a check that did not run.' }),
        },
        { title: 'CodeCheck' },
      ),
    ),
  },
  {
    title: 'CheckedCode',
    description: 'Member that a code credits in a group, or the reason it is rejected.',
  },
);

export function codeRoutes(app: App, service: Service): void {
  checkRoute(app, service);
  putRoute(app, service);
  removeRoute(app, service);
}

function checkRoute(app: App, { database: { db }, programs }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['get', '/publishers/:publisherId/codes/:code/check', 'checkCode'],
    {
      may: 'read',
      summary: 'Check which member a code credits, or why it is rejected',
      description: 'Returns the result of each check that recording runs, in the given or the default group.',
      path: {
        publisherId: Type.String({ minLength: 1, maxLength: 255 }),
        code: Type.String({ minLength: 1, maxLength: 255, pattern: storable }),
      },
      query: groupQuery,
      answer: checkedCode,
    },
    async (request) => {
      const { publisherId, code } = request.params;
      const group = await resolveGroup(programs, publisherId, null, request.query.group);
      return await checkCode(db, { publisherId, group }, code);
    },
  );
}

const codePath = Type.Object({
  ...memberPath.properties,
  code: Type.String({ pattern: '^[A-Za-z0-9_-]{2,32}$' }),
});

function putRoute(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['put', '/publishers/:publisherId/members/:memberId/codes/:code', 'putCreatorCode'],
    {
      may: 'members',
      summary: "Add or change a creator's code",
      description: 'The code is saved as spelled in the path. Absent properties do not change.',
      path: codePath.properties,
      query: groupQuery,
      body: Type.Object(
        {
          scope: codeScope,
          isPrimary: Type.Optional(
            Type.Literal(true, { description: 'Makes this the primary code instead of the previous one.' }),
          ),
          isApproved: Type.Optional(Type.Boolean()),
        },
        { ...closed, title: 'CodeToPut' },
      ),
      answer: memberDetail,
    },
    async ({ params, query, body: { scope, isPrimary, isApproved }, actor }) => {
      const place = await placeOf(db, params, query.group);
      const code = {
        code: params.code,
        ...(scope === 'group' && { group: place.groupId }),
        ...(isPrimary !== undefined && { primary: isPrimary }),
        ...(isApproved !== undefined && { approved: isApproved }),
      };
      await putMemberCode(db, actor, { ...place, code });
      return await readMember(db, place, clock.now());
    },
  );
}

function removeRoute(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['delete', '/publishers/:publisherId/members/:memberId/codes/:code', 'removeCreatorCode'],
    {
      may: 'members',
      summary: "Remove a creator's code",
      description: 'Later purchases with the code are not credited. Earlier purchases stay credited.',
      path: codePath.properties,
      query: { ...groupQuery, scope: codeScope },
      answer: memberDetail,
    },
    async ({ params, query: { group, scope }, actor }) => {
      const place = await placeOf(db, params, group);
      await removeCode(db, actor, { ...place, code: params.code, scope });
      return await readMember(db, place, clock.now());
    },
  );
}
