import { Type } from 'typebox';
import type { LookUpMisses } from '../../api-keys/look-up-misses.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import { commonErrors, errorBody, groupId, text } from '../../platform/http/schemas/schemas.ts';
import { toAccountId } from '../../platform/ids.ts';
import { type Programs, requireProgram } from '../../publishers/programs.ts';
import { playerId } from '../player-id.ts';
import { getMemberByCodeOrId, getMemberById, getMemberByPlayer } from '../read/get-member.ts';
import { memberRecord } from '../read/member-record.ts';

export interface LookUpDeps {
  db: Db;
  programs: Programs;
  misses: LookUpMisses;
}

const tags = ['Members'];
const lookUpErrors = {
  400: errorBody('InvalidGroup, or CodeNotInGroup: not an approved member of the group.'),
  ...commonErrors,
};

export function getMemberByCodeRoute(app: App, { db, programs, misses }: LookUpDeps): void {
  operation(
    app,
    ['get', '/v1/manage/members/:code', 'getMemberByCode'],
    {
      config: {
        key: 'public',
        group: 'as read',
        sentCode: ({ params }) => (params as { code: string }).code,
      },
      summary: 'Get member by code',
      description:
        'The approved member that a code credits in the group, regardless of case. Also finds a member by account id, if no code in the group has that text.',
      tags,
      path: { code: Type.String({ description: 'A code, in any case, or an account id.' }) },
      query: { groupId },
      answer: memberRecord,
      errors: lookUpErrors,
    },
    async (request) => {
      const { group } = request;
      const program = await requireProgram(programs, request.principal.publisherId);
      // Records are cached per program, so the group must come from the same program. `request.group` may come from an
      // older one.
      const current = program.groups.get(group.groupId) ?? group;
      const lookUp = () => getMemberByCodeOrId(db, program, current, request.params.code);
      return await misses.limit(request, lookUp);
    },
  );
}

export function getMemberByIdRoute(app: App, { db, misses }: LookUpDeps): void {
  operation(
    app,
    ['get', '/v1/manage/members/id/:memberId', 'getMemberById'],
    {
      config: { key: 'public', group: 'as read' },
      summary: 'Get member by id',
      description: 'The approved member with this account id, as in other lookups.',
      tags,
      path: { memberId: text(255, "The member's account id.") },
      query: { groupId },
      answer: memberRecord,
      errors: lookUpErrors,
    },
    async (request) => {
      const { group } = request;
      const { publisherId } = request.principal;
      const lookUp = () => getMemberById(db, publisherId, group, toAccountId(request.params.memberId));
      return await misses.limitPublic(request, lookUp);
    },
  );
}

export function getMemberByPlayerRoute(app: App, { db, misses }: LookUpDeps): void {
  operation(
    app,
    ['get', '/v1/manage/members/player/:playerId', 'getMemberByPlayer'],
    {
      config: { key: 'public', group: 'as read' },
      summary: 'Get member by playerId',
      description: "The approved member with this playerId, the publisher's own id for the player.",
      tags,
      path: { playerId },
      query: { groupId },
      answer: memberRecord,
      errors: {
        400: errorBody('InvalidGroup, or PlayerNotInGroup: no approved member has this playerId.'),
        ...commonErrors,
      },
    },
    async (request) => {
      const { group } = request;
      const { publisherId } = request.principal;
      const lookUp = () => getMemberByPlayer(db, publisherId, group, request.params.playerId);
      return await misses.limitPublic(request, lookUp);
    },
  );
}
