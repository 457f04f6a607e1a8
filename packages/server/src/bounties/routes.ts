import { Type } from 'typebox';
import type { LookUpMisses } from '../api-keys/look-up-misses.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { sendJson } from '../platform/http/answers/error-answers.ts';
import type { App } from '../platform/http/app-type.ts';
import {
  bodyErrors,
  commonErrors,
  errorBody,
  groupId,
  oneOfThese,
  pageNumber,
  pageSize,
  pagingFields,
  secretErrors,
  storable,
  text,
  timestamp,
} from '../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../platform/http/schemas/validation.ts';
import { toAccountId, toBountyId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import type { CreatorGroup, Programmes } from '../publishers/programmes.ts';
import { completeReward } from './complete/complete-reward.ts';
import { recordEvent, type SentEvent } from './count/record-event.ts';
import { bountyRecord, completionFields, namedProgressRecord, progressRecord } from './read/bounty-record.ts';
import { getBounty, listBounties } from './read/read-bounties.ts';
import { readBountyProgress, readMemberProgress } from './read/read-progress.ts';

export interface BountyDeps {
  db: Db;
  clock: Clock;
  programmes: Programmes;
  misses: LookUpMisses;
}

const tags = ['Bounties'];
const groupNotFound = errorBody('InvalidGroup: no group of the publisher has this groupId.');
const filled = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: storable, description });

/** Operation 14 of the contract, and reading bounties and their progress. */
export function bountyRoutes(app: App, { db, clock, programmes, misses }: BountyDeps): void {
  app.get(
    '/v1/bounties',
    {
      config: { key: 'public', group: 'as manage' },
      schema: {
        operationId: 'listBounties',
        summary: 'List bounties',
        description: 'The bounties of a group, by start: those to come, open and over.',
        tags,
        querystring: Type.Object({ groupId, page: pageNumber, pageSize }),
        response: {
          200: Type.Object(
            { ...pagingFields, bounties: Type.Array(bountyRecord) },
            { title: 'BountyPage', description: 'A page of bounties.' },
          ),
          400: errorBody('InvalidPage, InvalidPageSize or InvalidInput.'),
          404: groupNotFound,
          ...commonErrors,
        },
      },
    },
    async (request, reply) => {
      const { page = 1, pageSize: size = 10 } = request.query;
      const { group } = request;
      const { publisherId } = request.principal;
      const { bounties, totalCount } = await listBounties(db, publisherId, group.groupId, page, size);
      return sendJson(reply, {
        ...names(group),
        currentPage: page,
        currentPageSize: size,
        totalCount,
        bounties,
      });
    },
  );

  app.get(
    '/v1/bounties/:bountyId',
    {
      config: { key: 'public', group: 'as manage' },
      schema: {
        operationId: 'getBounty',
        summary: 'Get bounty',
        description:
          'A bounty of the group, with the progress of its approved, visible members when asked for: a page of them, in the order they joined.',
        tags,
        params: Type.Object({ bountyId: text(255, 'As the list of bounties has it.') }),
        querystring: Type.Object({
          groupId,
          includeProgress: Type.Optional(
            Type.Boolean({ default: false, description: 'Whether to say how far members are.' }),
          ),
          page: pageNumber,
          pageSize,
        }),
        response: {
          200: Type.Object(
            {
              groupId: pagingFields.groupId,
              groupName: pagingFields.groupName,
              bounty: bountyRecord,
              progress: Type.Optional(
                Type.Object(
                  {
                    currentPage: pagingFields.currentPage,
                    currentPageSize: pagingFields.currentPageSize,
                    totalCount: pagingFields.totalCount,
                    data: Type.Array(progressRecord),
                  },
                  { title: 'BountyProgressPage', description: 'A page of the progress of members.' },
                ),
              ),
            },
            { title: 'BountyDetail', description: 'A bounty, with progress when asked for.' },
          ),
          400: errorBody('BountyNotFound, InvalidPage, InvalidPageSize or InvalidInput.'),
          404: groupNotFound,
          ...commonErrors,
        },
      },
    },
    async (request, reply) => {
      const { includeProgress = false, page = 1, pageSize: size = 10 } = request.query;
      const { group } = request;
      const { publisherId } = request.principal;
      const bountyId = toBountyId(request.params.bountyId);
      const lookUp = () => getBounty(db, publisherId, group.groupId, bountyId);
      const bounty = await misses.limitPublic(request, lookUp);
      if (!includeProgress) return sendJson(reply, { ...names(group), bounty });
      const { progress, totalCount } = await readBountyProgress(db, publisherId, bountyId, true, page, size);
      return sendJson(reply, {
        ...names(group),
        bounty,
        progress: { currentPage: page, currentPageSize: size, totalCount, data: progress },
      });
    },
  );

  app.get(
    '/v1/bounties/member/id/:memberId',
    {
      config: { key: 'public', group: 'as manage', refusals: { MemberNotFound: { status: 400 } } },
      schema: {
        operationId: 'getMemberProgress',
        summary: "Get a member's bounty progress",
        description:
          'How far an approved member is with the bounties of the group that it has begun: a page of them, by start.',
        tags,
        params: Type.Object({ memberId: text(255, "The member's account id.") }),
        querystring: Type.Object({ groupId, page: pageNumber, pageSize }),
        response: {
          200: Type.Object(
            {
              ...pagingFields,
              memberId: Type.String(),
              playerId: Type.Optional(Type.String()),
              progress: Type.Array(namedProgressRecord),
            },
            { title: 'MemberProgressPage', description: 'A page of the progress of one member.' },
          ),
          400: errorBody('MemberNotFound, InvalidPage, InvalidPageSize or InvalidInput.'),
          404: groupNotFound,
          ...commonErrors,
        },
      },
    },
    async (request, reply) => {
      const { group } = request;
      const { page = 1, pageSize: size = 10 } = request.query;
      const { publisherId } = request.principal;
      const lookUp = () =>
        readMemberProgress(db, publisherId, group.groupId, toAccountId(request.params.memberId), page, size);
      const { totalCount, ...member } = await misses.limitPublic(request, lookUp);
      return sendJson(reply, {
        ...names(group),
        currentPage: page,
        currentPageSize: size,
        totalCount,
        ...member,
      });
    },
  );

  app.post(
    '/v1/bounties/complete-reward/:rewardId',
    {
      // The one field is optional, and so is the body.
      config: {
        key: 'secret',
        group: 'as manage',
        bodyIsOptional: true,
        refusals: { BountyNotFound: { status: 404 } },
      },
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        operationId: 'completeReward',
        summary: 'Complete bounty reward',
        description:
          'Says that an External reward was delivered. Called again it changes nothing: the first referenceId stays.',
        tags,
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        params: Type.Object({
          rewardId: text(255, 'From the progress of a member, or the webhook BountyReward.'),
        }),
        querystring: Type.Object({ groupId }),
        body: Type.Object(
          {
            referenceId: Type.Optional(text(255, "The publisher's own reference, such as a fulfillment id.")),
          },
          { title: 'RewardCompletion', description: 'That a reward was delivered.' },
        ),
        response: {
          200: Type.Object(completionFields, {
            title: 'CompletedReward',
            description: 'A reward, and whether it was delivered.',
          }),
          400: errorBody('InvalidInput.'),
          404: errorBody('InvalidGroup, or BountyNotFound: the group has no External reward with this id.'),
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { group } = request;
      const { rewardId } = request.params;
      const { referenceId = '' } = request.body;
      const { publisherId } = request.principal;
      const reference = referenceId === '' ? null : referenceId;
      return sendJson(reply, await completeReward(db, publisherId, group.groupId, rewardId, reference));
    },
  );

  app.post(
    '/v1/events',
    {
      config: { key: 'secret', group: 'as read', refusals: { MemberNotFound: { status: 400 } } },
      schema: {
        operationId: 'recordEvent',
        summary: 'Record a custom event',
        description:
          "Counts for the objectives that ask for its eventCode. An eventId is recorded once: sent again, whatever it says, it is answered with the first. Send either the member's code or its memberId.",
        tags,
        querystring: Type.Object({ groupId }),
        body: Type.Object(
          {
            eventId: filled("publisher's own id of the event, 1 to 255 characters"),
            eventCode: filled('as an objective names it, 1 to 255 characters'),
            code: Type.Optional(filled('a code of the member, 1 to 255 characters')),
            memberId: Type.Optional(filled("the member's account id, 1 to 255 characters")),
            playerId: filled('the player who did it, 1 to 255 characters'),
            occurredAt: Type.Optional(timestamp('When it happened; now when absent.')),
          },
          {
            ...nullIsAbsent,
            ...oneOfThese('code', 'memberId'),
            title: 'NewCustomEvent',
            description:
              'What a player did, credited to a member: named by code or by memberId, not by both.',
          },
        ),
        response: {
          200: Type.Object(
            {
              eventId: Type.String(),
              eventCode: Type.String(),
              memberId: Type.String(),
              playerId: Type.String(),
              occurredAt: Type.String({ format: 'date-time' }),
            },
            { title: 'CustomEvent', description: 'The event as it was recorded.' },
          ),
          400: errorBody('InvalidEventCode, CodeNotInGroup, MemberNotFound, InvalidGroup or InvalidInput.'),
          409: errorBody('Conflict: the eventId was recorded in a group that this key is not for.'),
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { eventId, eventCode, code, memberId, playerId, occurredAt } = request.body;
      const { group } = request;
      const { publisherId, groupId: keyGroupId } = request.principal;
      const programme = await programmes.get(publisherId);
      if (programme === null) throw new Error('a key belongs to a publisher that does not exist');
      const now = clock.now();
      const event = await recordEvent(
        db,
        programme,
        group.groupId,
        {
          eventId,
          eventCode,
          member: memberOf(code, memberId),
          playerId,
          occurredAt: occurredAt === undefined ? now : readTime(occurredAt),
        },
        keyGroupId !== null,
        now,
      );
      return sendJson(reply, event);
    },
  );
}

const names = ({ groupId, name }: CreatorGroup) => ({ groupId, groupName: name });

function memberOf(code: string | undefined, memberId: string | undefined): SentEvent['member'] {
  if (code !== undefined && memberId === undefined) return { code };
  if (memberId !== undefined && code === undefined) return { memberId: toAccountId(memberId) };
  throw new Refusal('InvalidInput', 'Send either code or memberId.');
}

function readTime(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new Error('a timestamp passed its schema and cannot be read');
  return new Date(ms);
}
