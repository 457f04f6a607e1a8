import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { approveMember } from '../../members/change/approve-member.ts';
import { changeMember } from '../../members/change/change-member.ts';
import type { MemberKey } from '../../members/change/changing-member.ts';
import { createMember } from '../../members/change/create-member.ts';
import { removeMember } from '../../members/change/remove-member.ts';
import { codeInput, identityInput, memberInput } from '../../members/put/member-input.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { adminOperations } from '../admin-operations.ts';
import { editedVersion, groupQuery } from '../schemas.ts';
import { memberDetail, memberPath, removalReason } from './member-schemas.ts';
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
const querystring = Type.Object(groupQuery);

/** Returns the key of the member in the path, in the group named in the query or the default group. */
export async function placeOf(
  db: Db,
  { publisherId, memberId }: { publisherId: string; memberId: string },
  group: string | undefined,
): Promise<MemberKey> {
  return { publisherId, groupId: await findGroup(db, publisherId, group), memberId: toAccountId(memberId) };
}

export function oneMemberRoutes(app: App, service: Service): void {
  getRoute(app, service);
  createRoute(app, service);
  changeRoute(app, service);
  approveRoute(app, service);
  removeRoute(app, service);
}

function getRoute(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['get', '/publishers/:publisherId/members/:memberId', 'getCreator'],
    {
      may: 'read',
      summary: 'Get a creator',
      description:
        'Without a group, looks in the default group, then in the creator’s other groups. For a claimed member, returns the creator who claimed it.',
      path: memberPath.properties,
      query: querystring.properties,
      answer: memberDetail,
    },
    ({ params: { publisherId, memberId }, query: { group: groupId } }) =>
      readMember(db, { publisherId, memberId: toAccountId(memberId), groupId }, clock.now()),
  );
}

function createRoute(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['post', '/publishers/:publisherId/members', 'createCreator'],
    {
      may: 'members',
      summary: 'Add a creator',
      query: querystring.properties,
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
      answer: memberDetail,
    },
    async ({ params: { publisherId }, query, body, actor }) => {
      const groupId = await findGroup(db, publisherId, query.group);
      const memberId = await createMember(db, actor, { ...body, publisherId, groupId });
      return await readMember(db, { publisherId, memberId, groupId }, clock.now());
    },
  );
}

function changeRoute(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['patch', '/publishers/:publisherId/members/:memberId', 'changeCreator'],
    {
      may: 'members',
      summary: 'Change a creator',
      description: 'Absent properties do not change.',
      path: memberPath.properties,
      query: querystring.properties,
      body: Type.Object(
        {
          version: editedVersion,
          ...facts,
        },
        { ...closed, title: 'CreatorChange' },
      ),
      answer: memberDetail,
    },
    async ({ params, query, body: { version, ...facts }, actor }) => {
      const place = await placeOf(db, params, query.group);
      await changeMember(db, actor, { ...place, version, facts });
      return await readMember(db, place, clock.now());
    },
  );
}

function approveRoute(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['post', '/publishers/:publisherId/members/:memberId/approve', 'approveCreator'],
    {
      may: 'approve',
      summary: 'Approve a creator',
      description:
        'Future purchases with the creator’s codes are credited. Approving an Approved creator changes nothing.',
      path: memberPath.properties,
      query: querystring.properties,
      answer: memberDetail,
    },
    async ({ params, query, actor }) => {
      const place = await placeOf(db, params, query.group);
      await approveMember(db, actor, place);
      return await readMember(db, place, clock.now());
    },
  );
}

function removeRoute(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['post', '/publishers/:publisherId/members/:memberId/remove', 'removeCreator'],
    {
      may: 'members',
      summary: 'Remove a creator',
      description: 'Purchases with the creator’s codes are no longer credited. Earnings are kept and paid.',
      path: memberPath.properties,
      query: querystring.properties,
      body: Type.Object({ reason: removalReason }, { ...closed, title: 'Removal' }),
      answer: memberDetail,
    },
    async ({ params, query, body: { reason }, actor }) => {
      const place = await placeOf(db, params, query.group);
      await removeMember(db, actor, { ...place, reason });
      return await readMember(db, place, clock.now());
    },
  );
}
