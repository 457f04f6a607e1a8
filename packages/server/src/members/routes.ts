import { Type } from 'typebox';
import type { LookUpMisses } from '../api-keys/look-up-misses.ts';
import type { Db } from '../platform/database/database.ts';
import { sendJson } from '../platform/http/answers/error-answers.ts';
import type { App } from '../platform/http/app-type.ts';
import {
  bodyErrors,
  commonErrors,
  errorBody,
  groupId,
  pageNumber,
  pagingFields,
  secretErrors,
  text,
} from '../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../platform/http/schemas/validation.ts';
import { toAccountId } from '../platform/ids.ts';
import type { CreatorGroup, Programme, Programmes } from '../publishers/programmes.ts';
import { generateMember } from './generate-member.ts';
import { getMemberByCode, getMemberById, getMemberByPlayer } from './get-member.ts';
import { listMembers } from './list-members.ts';
import { defaultsOf, groupDefaults, keptMetadata, memberRecord, withGroupDefaults } from './member-record.ts';
import { playerId } from './player-id.ts';
import { checkPlayerMetadata, playerMetadata } from './player-metadata.ts';

export interface MemberDeps {
  db: Db;
  programmes: Programmes;
  misses: LookUpMisses;
}

const tags = ['Members'];
const lookUpErrors = {
  400: errorBody('InvalidGroup, or CodeNotInGroup: not an approved member of the group.'),
  ...commonErrors,
};

/** Operations 10 to 12 of the contract, and generated members. */
export function memberRoutes(app: App, deps: MemberDeps): void {
  const { db, programmes, misses } = deps;

  app.get(
    '/v1/manage/members',
    {
      config: { key: 'public', group: 'as manage', defaultPageSize: 100 },
      schema: {
        operationId: 'listMembers',
        summary: 'List members',
        description: 'The approved, visible members of a group, in the order they joined.',
        tags,
        querystring: Type.Object({
          groupId,
          page: pageNumber,
          pageSize: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'Entries of a page.' }),
          ),
        }),
        response: {
          200: Type.Object(
            { ...pagingFields, ...groupDefaults, members: Type.Array(memberRecord) },
            { title: 'MemberPage', description: 'A page of members.' },
          ),
          400: errorBody('InvalidPage, InvalidPageSize or InvalidInput.'),
          404: errorBody('InvalidGroup: no group of the publisher has this groupId.'),
          ...commonErrors,
        },
      },
    },
    async (request, reply) => {
      const { page = 1, pageSize = 100 } = request.query;
      const { group } = request;
      const { publisherId } = request.principal;
      const { members, totalCount } = await listMembers(
        db,
        publisherId,
        group,
        { visible: true },
        page,
        pageSize,
      );
      const records = members.map((member) => withGroupDefaults(member, group));
      return sendJson(reply, {
        ...names(group),
        ...defaultsOf(group),
        currentPage: page,
        currentPageSize: pageSize,
        totalCount,
        members: records,
      });
    },
  );

  app.get(
    '/v1/manage/members/:code',
    {
      config: { key: 'public', group: 'as read' },
      schema: {
        operationId: 'getMemberByCode',
        summary: 'Get member by code',
        description:
          'The approved member that a code credits in the group; upper and lower case are the same.',
        tags,
        params: Type.Object({ code: Type.String({ description: 'A code, in any case.' }) }),
        querystring: Type.Object({ groupId }),
        response: { 200: memberRecord, ...lookUpErrors },
      },
    },
    async (request, reply) => {
      const { group } = request;
      const programme = await programmeOf(programmes, request.principal.publisherId);
      // What is kept with a programme is of that programme; the group may have been read a moment before it.
      const current = programme.groups.get(group.groupId) ?? group;
      const lookUp = () => getMemberByCode(db, programme, current, request.params.code);
      return sendJson(reply, await misses.limit(request, lookUp));
    },
  );

  app.get(
    '/v1/manage/members/id/:memberId',
    {
      config: { key: 'public', group: 'as read' },
      schema: {
        operationId: 'getMemberById',
        summary: 'Get member by id',
        description: 'The approved member with this account id, as other look-ups return it.',
        tags,
        params: Type.Object({ memberId: text(255, "The member's account id.") }),
        querystring: Type.Object({ groupId }),
        response: { 200: memberRecord, ...lookUpErrors },
      },
    },
    async (request, reply) => {
      const { group } = request;
      const { publisherId } = request.principal;
      const lookUp = () => getMemberById(db, publisherId, group, toAccountId(request.params.memberId));
      return sendJson(reply, await misses.limitPublic(request, lookUp));
    },
  );

  app.get(
    '/v1/manage/members/player/:playerId',
    {
      config: { key: 'public', group: 'as read' },
      schema: {
        operationId: 'getMemberByPlayer',
        summary: 'Get member by playerId',
        description: 'The approved member that the publisher knows by this playerId.',
        tags,
        params: Type.Object({ playerId }),
        querystring: Type.Object({ groupId }),
        response: {
          200: memberRecord,
          400: errorBody('InvalidGroup, or PlayerNotInGroup: no approved member has this playerId.'),
          ...commonErrors,
        },
      },
    },
    async (request, reply) => {
      const { group } = request;
      const { publisherId } = request.principal;
      const lookUp = () => getMemberByPlayer(db, publisherId, group, request.params.playerId);
      return sendJson(reply, await misses.limitPublic(request, lookUp));
    },
  );

  app.post(
    '/v1/manage/members',
    {
      config: { key: 'secret', group: 'as read' },
      schema: {
        operationId: 'generateMember',
        summary: 'Generate a member',
        description:
          'Makes a member for a player, with a code of its own in the group; a creator may claim it later. Asked again for the same player it answers with the same member.',
        tags,
        querystring: Type.Object({ groupId }),
        body: Type.Object(
          { playerId, playerMetadata: Type.Optional(playerMetadata) },
          { ...nullIsAbsent, title: 'MemberToGenerate', description: 'The player to make a member for.' },
        ),
        response: {
          200: Type.Object(
            {
              groupId: Type.String(),
              groupName: Type.String(),
              playerId: Type.String(),
              playerMetadata: Type.Optional(keptMetadata),
              code: Type.String({ description: "The member's primary code." }),
            },
            { title: 'GeneratedMember', description: 'The member of a player, with its code.' },
          ),
          400: errorBody('InvalidGroup, or InvalidInput: the body, or a member that is not approved.'),
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { group } = request;
      const { playerId, playerMetadata = null } = request.body;
      if (playerMetadata !== null) checkPlayerMetadata(playerMetadata);
      const { publisherId } = request.principal;
      const member = await generateMember(db, publisherId, group, playerId, playerMetadata);
      return sendJson(reply, {
        ...names(group),
        playerId: member.playerId,
        ...(member.playerMetadata !== null && { playerMetadata: member.playerMetadata }),
        code: member.code,
      });
    },
  );
}

const names = ({ groupId, name }: CreatorGroup) => ({ groupId, groupName: name });

async function programmeOf(programmes: Programmes, publisherId: string): Promise<Programme> {
  const programme = await programmes.get(publisherId);
  if (programme === null) throw new Error('a key belongs to a publisher that does not exist');
  return programme;
}
