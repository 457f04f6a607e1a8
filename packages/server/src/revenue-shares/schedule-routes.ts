import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { sendJson } from '../platform/http/answers/error-answers.ts';
import type { App } from '../platform/http/app-type.ts';
import {
  bodyErrors,
  errorBody,
  errorsBody,
  groupId,
  pageNumber,
  pageSize,
  pagingFields,
  secretErrors,
  text,
  timestamp,
} from '../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../platform/http/schemas/validation.ts';
import { toScheduleId, toTierId } from '../platform/ids.ts';
import { millionthsToPercent, percentToMillionths } from '../platform/percent.ts';
import { Refusal } from '../platform/refusal.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import type { CreatorGroup } from '../publishers/programmes.ts';
import {
  createSchedule,
  deleteSchedule,
  listSchedules,
  replaceSchedule,
  type Schedule,
  type ScheduleTerms,
} from './schedules.ts';

export interface ScheduleDeps {
  db: Db;
  clock: Clock;
  /** What a revShare of exactly 1 means (D23): the contract's defect, or one percent. */
  revShareOne: 'contract' | 'one-percent';
}

const tags = ['Scheduled revenue shares'];
const maxTiers = 1_000;
const percent = (description: string) => Type.Number({ minimum: 1, maximum: 100, description });

const scheduleBody = Type.Object(
  {
    revShare: Type.Optional(
      percent('Group-wide percent for the window. Avoid exactly 1, which is stored as 100.'),
    ),
    startDate: timestamp('First moment of the window.'),
    endDate: timestamp('The window ends before this moment.'),
    tierRevenueShares: Type.Optional(
      Type.Array(
        Type.Object(
          { revShare: percent('Percent for the tier.'), tierId: text(255, "The tier's id, not its name.") },
          { title: 'TierShare', description: 'The share of one tier.' },
        ),
        { maxItems: maxTiers },
      ),
    ),
  },
  {
    ...nullIsAbsent,
    anyOf: [
      { required: ['revShare'] },
      { required: ['tierRevenueShares'], properties: { tierRevenueShares: { minItems: 1 } } },
    ],
    title: 'ScheduleTerms',
    description: 'What a schedule says: revShare, tierRevenueShares, or both.',
  },
);

const scheduleFields = {
  id: Type.String({ minLength: 21, maxLength: 21 }),
  revShare: Type.Number({
    description: "Group-wide percent; the group's default when the schedule carries tier shares alone.",
  }),
  startDate: Type.String({ format: 'date-time' }),
  endDate: Type.String({ format: 'date-time' }),
  groupId: Type.String(),
  groupName: Type.String(),
  tierRevenueShares: Type.Array(
    Type.Object(
      { revShare: Type.Number({ description: 'Percent.' }), tierId: Type.String(), tierName: Type.String() },
      { title: 'TierRevenueShare', description: 'The share of one tier in a window.' },
    ),
  ),
};
const scheduleModel = {
  title: 'ScheduledRevenueShare',
  description: 'Another share, for a window of time.',
};
const scheduleObject = Type.Object(scheduleFields, {
  ...scheduleModel,
  headers: {
    'X-Warning': { type: 'string', description: 'rev-share-one-stored-as-100-percent, when it was.' },
  },
});
const path = Type.Object({
  scheduledRevShareId: Type.String({ description: 'The id of the schedule, 21 characters.' }),
});

const savingErrors = {
  400: errorsBody('An invalid body, with an errors array; plain text when the window ends before it starts.'),
  404: errorBody('InvalidGroup, or NotFound: the group has no such schedule.'),
  409: errorBody('Conflict: the window overlaps another schedule of the group.'),
  ...bodyErrors,
  ...secretErrors,
};

/** Operations 5 and 6 of the contract, and the list and deletion that go with them. */
export function scheduleRoutes(app: App, deps: ScheduleDeps): void {
  const { db } = deps;
  app.post(
    '/v1/manage/scheduled-rev-shares',
    {
      config: {
        key: 'secret',
        group: 'as manage',
        badRequestForm: 'errors',
        refusals: { InvalidDate: { form: 'text' } },
      },
      schema: {
        operationId: 'createScheduledRevShare',
        summary: 'Create scheduled revenue share',
        description: 'Not idempotent: the same window sent again overlaps the first.',
        tags,
        querystring: Type.Object({ groupId }),
        body: scheduleBody,
        response: { 200: scheduleObject, ...savingErrors },
      },
    },
    async (request, reply) => {
      const { group } = request;
      const terms = readTerms(request.body, deps.revShareOne, { instantAllowed: false });
      const schedule = await createSchedule(db, request.principal.publisherId, group.groupId, terms);
      warnOfOne(reply, request.body, deps.revShareOne);
      return sendJson(reply, toAnswer(schedule, group));
    },
  );

  app.put(
    '/v1/manage/scheduled-rev-shares/:scheduledRevShareId',
    {
      config: {
        key: 'secret',
        group: 'as manage',
        badRequestForm: 'errors',
        refusals: { InvalidDate: { form: 'text' } },
      },
      schema: {
        operationId: 'replaceScheduledRevShare',
        summary: 'Replace scheduled revenue share',
        description: 'The body replaces everything the schedule said, tier shares included.',
        tags,
        params: path,
        querystring: Type.Object({ groupId }),
        body: scheduleBody,
        response: { 200: scheduleObject, ...savingErrors },
      },
    },
    async (request, reply) => {
      const { group } = request;
      const terms = readTerms(request.body, deps.revShareOne, { instantAllowed: true });
      const { scheduledRevShareId } = request.params;
      const schedule = await replaceSchedule(
        db,
        request.principal.publisherId,
        group.groupId,
        toScheduleId(scheduledRevShareId),
        terms,
      );
      warnOfOne(reply, request.body, deps.revShareOne);
      return sendJson(reply, toAnswer(schedule, group));
    },
  );

  app.get(
    '/v1/manage/scheduled-rev-shares',
    {
      config: { key: 'secret', group: 'as manage' },
      schema: {
        operationId: 'listScheduledRevShares',
        summary: 'List scheduled revenue shares',
        description: 'Those that are not deleted, by start.',
        tags,
        querystring: Type.Object({ groupId, page: pageNumber, pageSize }),
        response: {
          200: Type.Object(
            {
              ...pagingFields,
              scheduledRevShares: Type.Array(
                Type.Object(
                  {
                    ...scheduleFields,
                    status: Type.String({ enum: ['Active', 'Upcoming', 'Ended'] }),
                  },
                  { title: 'ListedScheduledRevenueShare', description: 'A schedule, and whether it runs.' },
                ),
              ),
            },
            { title: 'ScheduledRevenueSharePage', description: 'A page of schedules.' },
          ),
          400: errorBody('InvalidPage, InvalidPageSize or InvalidInput.'),
          404: errorBody('InvalidGroup: no group of the publisher has this groupId.'),
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { page = 1, pageSize: size = 10 } = request.query;
      const { group } = request;
      const { publisherId } = request.principal;
      const { schedules, totalCount } = await listSchedules(db, publisherId, group.groupId, page, size);
      const now = deps.clock.now();
      return sendJson(reply, {
        groupId: group.groupId,
        groupName: group.name,
        currentPage: page,
        currentPageSize: size,
        totalCount,
        scheduledRevShares: schedules.map((schedule) => ({
          ...toAnswer(schedule, group),
          status: statusOf(schedule, now),
        })),
      });
    },
  );

  app.delete(
    '/v1/manage/scheduled-rev-shares/:scheduledRevShareId',
    {
      config: { key: 'secret', group: 'as manage' },
      schema: {
        operationId: 'deleteScheduledRevShare',
        summary: 'Delete scheduled revenue share',
        description:
          'Rows already settled keep the share they were settled with. Answers with the deleted schedule.',
        tags,
        params: path,
        querystring: Type.Object({ groupId }),
        response: {
          200: Type.Object(scheduleFields, scheduleModel),
          400: errorBody('InvalidInput.'),
          404: errorBody('InvalidGroup, or NotFound: the group has no such schedule.'),
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { group } = request;
      const { scheduledRevShareId } = request.params;
      const { publisherId } = request.principal;
      const schedule = await deleteSchedule(
        db,
        publisherId,
        group.groupId,
        toScheduleId(scheduledRevShareId),
        deps.clock.now(),
      );
      return sendJson(reply, toAnswer(schedule, group));
    },
  );
}

type Body = Static<typeof scheduleBody>;

/** @throws Refusal 400: an errors array for a body without any share, plain text for a window that ends too soon */
function readTerms(
  body: Body,
  one: ScheduleDeps['revShareOne'],
  { instantAllowed }: { instantAllowed: boolean },
): ScheduleTerms {
  const { revShare, tierRevenueShares = [] } = body;
  if (revShare === undefined && tierRevenueShares.length === 0) {
    throw new Refusal('InvalidInput', 'revShare or tierRevenueShares is required');
  }
  const startsAt = readTime(body.startDate);
  const endsAt = readTime(body.endDate);
  if (endsAt < startsAt || (!instantAllowed && endsAt.getTime() === startsAt.getTime())) {
    throw new Refusal('InvalidDate', 'endDate must be after startDate');
  }
  return {
    startsAt,
    endsAt,
    shareMillionths: revShare === undefined ? null : storedShare(revShare, one),
    tierShares: tierRevenueShares.map(({ tierId, revShare }) => ({
      tierId: toTierId(tierId),
      shareMillionths: storedShare(revShare, one),
    })),
  };
}

/** The contract's known defect: only what is greater than 1 is taken for a percent, so 1 is the whole. */
const storedShare = (revShare: number, one: ScheduleDeps['revShareOne']): number =>
  revShare === 1 && one === 'contract' ? 1_000_000 : percentToMillionths(revShare);

function warnOfOne(
  reply: FastifyReply,
  { revShare, tierRevenueShares = [] }: Body,
  one: ScheduleDeps['revShareOne'],
): void {
  const sentOne = [revShare, ...tierRevenueShares.map((share) => share.revShare)].includes(1);
  if (sentOne && one === 'contract') reply.header('x-warning', 'rev-share-one-stored-as-100-percent');
}

const toAnswer = (schedule: Schedule, group: CreatorGroup) => ({
  id: schedule.scheduleId,
  revShare: millionthsToPercent(schedule.shareMillionths ?? group.shareMillionths),
  startDate: schedule.startsAt.toISOString(),
  endDate: schedule.endsAt.toISOString(),
  groupId: group.groupId,
  groupName: group.name,
  tierRevenueShares: schedule.tierShares.map(({ tierId, tierName, shareMillionths }) => ({
    revShare: millionthsToPercent(shareMillionths),
    tierId,
    tierName,
  })),
});

const statusOf = ({ startsAt, endsAt }: Schedule, now: Date): 'Active' | 'Upcoming' | 'Ended' =>
  endsAt <= now ? 'Ended' : startsAt > now ? 'Upcoming' : 'Active';

function readTime(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new Error('a timestamp passed its schema and cannot be read');
  return new Date(ms);
}
