import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { approveMember } from '../../members/change/approve-member.ts';
import { changeMember } from '../../members/change/change-member.ts';
import type { MemberKey } from '../../members/change/changing-member.ts';
import { createMember } from '../../members/change/create-member.ts';
import { removeMember } from '../../members/change/remove-member.ts';
import { codeInput, identityInput, memberInput } from '../../members/put/member-input.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { adminErrors, groupQuery, publisherPath } from '../schemas.ts';
import { memberDetail, memberPath, memberTags, removalReason } from './member-schemas.ts';
import { readMember } from './read-member.ts';

const {
  id,
  codes: _codes,
  identities: _identities,
  status: _status,
  removalReason: _reason,
  ...facts
} = memberInput.properties;
const codes = Type.Optional(Type.Array(codeInput, { maxItems: 50 }));
const identities = Type.Optional(Type.Array(identityInput, { maxItems: 50 }));
const answers = { response: { 200: memberDetail, ...adminErrors } };
const querystring = Type.Object(groupQuery);
const tags = memberTags;

/** Returns the member that the path and query name, in the default group if the query names no group. */
export async function placeOf(
  db: Db,
  { publisherId, memberId }: { publisherId: string; memberId: string },
  group: string | undefined,
): Promise<MemberKey> {
  return { publisherId, groupId: await findGroup(db, publisherId, group), memberId: toAccountId(memberId) };
}

/** Registers the routes that get, create, change, approve and remove a creator. */
export function oneMemberRoutes(app: App, service: Service): void {
  getRoute(app, service);
  createRoute(app, service);
  changeRoute(app, service);
  approveRoute(app, service);
  removeRoute(app, service);
}

function getRoute(app: App, { database: { db }, clock }: Service): void {
  app.get(
    '/publishers/:publisherId/members/:memberId',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'getCreator',
        summary: 'Get a creator',
        description:
          'Without a group: in the default group, or else in the first group that has the creator as a member. For a claimed member, returns the creator who claimed it.',
        tags,
        params: memberPath,
        querystring,
        ...answers,
      },
    },
    async ({ params: { publisherId, memberId }, query: { group: groupId } }, reply) =>
      sendJson(
        reply,
        await readMember(db, { publisherId, memberId: toAccountId(memberId), groupId }, clock.now()),
      ),
  );
}

function createRoute(app: App, { database: { db }, clock }: Service): void {
  app.post(
    '/publishers/:publisherId/members',
    {
      config: { staff: 'members' },
      schema: {
        operationId: 'createCreator',
        summary: 'Add a creator',
        tags,
        params: publisherPath,
        querystring,
        body: Type.Object(
          {
            id: Type.Optional(id),
            ...facts,
            status: Type.Optional(Type.Union([Type.Literal('Approved'), Type.Literal('Pending')])),
            codes,
            identities,
          },
          { ...closed, title: 'NewCreator' },
        ),
        ...answers,
      },
    },
    async ({ params: { publisherId }, query, body, actor }, reply) => {
      const groupId = await findGroup(db, publisherId, query.group);
      const memberId = await createMember(db, actor, { ...body, publisherId, groupId });
      return sendJson(reply, await readMember(db, { publisherId, memberId, groupId }, clock.now()));
    },
  );
}

function changeRoute(app: App, { database: { db }, clock }: Service): void {
  app.patch(
    '/publishers/:publisherId/members/:memberId',
    {
      config: { staff: 'members' },
      schema: {
        operationId: 'changeCreator',
        summary: 'Change a creator',
        description: 'Absent properties stay unchanged.',
        tags,
        params: memberPath,
        querystring,
        body: Type.Object(
          {
            version: Type.String({ maxLength: 64 }),
            ...facts,
          },
          { ...closed, title: 'CreatorChange' },
        ),
        ...answers,
      },
    },
    async ({ params, query, body: { version, ...facts }, actor }, reply) => {
      const place = await placeOf(db, params, query.group);
      await changeMember(db, actor, { ...place, version, facts });
      return sendJson(reply, await readMember(db, place, clock.now()));
    },
  );
}

function approveRoute(app: App, { database: { db }, clock }: Service): void {
  app.post(
    '/publishers/:publisherId/members/:memberId/approve',
    {
      config: { staff: 'approve' },
      schema: {
        operationId: 'approveCreator',
        summary: 'Approve a creator',
        description:
          'Purchases with its codes are credited from now on. Approving an Approved creator changes nothing.',
        tags,
        params: memberPath,
        querystring,
        ...answers,
      },
    },
    async ({ params, query, actor }, reply) => {
      const place = await placeOf(db, params, query.group);
      await approveMember(db, actor, place);
      return sendJson(reply, await readMember(db, place, clock.now()));
    },
  );
}

function removeRoute(app: App, { database: { db }, clock }: Service): void {
  app.post(
    '/publishers/:publisherId/members/:memberId/remove',
    {
      config: { staff: 'members' },
      schema: {
        operationId: 'removeCreator',
        summary: 'Remove a creator',
        description: 'Purchases with its codes are no longer credited. Its earnings are kept and paid.',
        tags,
        params: memberPath,
        querystring,
        body: Type.Object({ reason: removalReason }, { ...closed, title: 'Removal' }),
        ...answers,
      },
    },
    async ({ params, query, body: { reason }, actor }, reply) => {
      const place = await placeOf(db, params, query.group);
      await removeMember(db, actor, { ...place, reason });
      return sendJson(reply, await readMember(db, place, clock.now()));
    },
  );
}
