import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import { warn } from '../../platform/http/answers/warnings.ts';
import type { App } from '../../platform/http/app-type.ts';
import {
  errorBody,
  groupId,
  pageNumber,
  pageSize,
  pagingFields,
  secretErrors,
} from '../../platform/http/schemas/schemas.ts';
import { toScheduleId } from '../../platform/ids.ts';
import { namesOf } from '../../publishers/programs.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { createSchedule } from './create-schedule.ts';
import { deleteSchedule } from './delete-schedule.ts';
import { listSchedules } from './list-schedules.ts';
import { replaceSchedule } from './replace-schedule.ts';
import {
  inWordsOfBody,
  type RevShareOne,
  savingErrors,
  scheduleBody,
  scheduleFields,
  scheduleModel,
  scheduleObject,
  schedulePath,
  statusOf,
  storesWhole,
  termsOfBody,
  toAnswer,
} from './schedule-model.ts';

export interface ScheduleDeps {
  db: Db;
  clock: Clock;
  revShareOne: RevShareOne;
}

const tags = ['Scheduled revenue shares'];
const url = '/v1/manage/scheduled-rev-shares';
const savingConfig = {
  key: 'secret',
  group: 'as manage',
  badRequestForm: 'errors',
  refusals: { InvalidDate: { form: 'text' } },
} as const;

/** Operation 5 of the contract. */
export function createScheduleRoute(app: App, { db, revShareOne }: ScheduleDeps): void {
  app.post(
    url,
    {
      config: savingConfig,
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
      const { body, group, actor } = request;
      const schedule = await inWordsOfBody(() =>
        createSchedule(db, actor, {
          publisherId: request.principal.publisherId,
          groupId: group.groupId,
          terms: termsOfBody(body, revShareOne),
        }),
      );
      if (storesWhole(body, revShareOne)) warn(reply, 'rev-share-one-stored-as-100-percent');
      return sendJson(reply, toAnswer(schedule, group));
    },
  );
}

/** Operation 6 of the contract. */
export function replaceScheduleRoute(app: App, { db, revShareOne }: ScheduleDeps): void {
  app.put(
    `${url}/:scheduledRevShareId`,
    {
      config: savingConfig,
      schema: {
        operationId: 'replaceScheduledRevShare',
        summary: 'Replace scheduled revenue share',
        description: 'The body replaces everything the schedule said, tier shares included.',
        tags,
        params: schedulePath,
        querystring: Type.Object({ groupId }),
        body: scheduleBody,
        response: { 200: scheduleObject, ...savingErrors },
      },
    },
    async (request, reply) => {
      const { body, group, actor } = request;
      const schedule = await inWordsOfBody(() =>
        replaceSchedule(db, actor, {
          publisherId: request.principal.publisherId,
          groupId: group.groupId,
          scheduleId: toScheduleId(request.params.scheduledRevShareId),
          terms: termsOfBody(body, revShareOne),
        }),
      );
      if (storesWhole(body, revShareOne)) warn(reply, 'rev-share-one-stored-as-100-percent');
      return sendJson(reply, toAnswer(schedule, group));
    },
  );
}

export function listSchedulesRoute(app: App, { db, clock }: ScheduleDeps): void {
  app.get(
    url,
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
      const { group } = request;
      const { page = 1, pageSize: size = 10 } = request.query;
      const { schedules, totalCount } = await listSchedules(
        db,
        { publisherId: request.principal.publisherId, groupId: group.groupId },
        { page, size },
      );
      const now = await nowAt(db, clock, request.principal.publisherId);
      return sendJson(reply, {
        ...namesOf(group),
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
}

export function deleteScheduleRoute(app: App, { db, clock }: ScheduleDeps): void {
  app.delete(
    `${url}/:scheduledRevShareId`,
    {
      config: { key: 'secret', group: 'as manage' },
      schema: {
        operationId: 'deleteScheduledRevShare',
        summary: 'Delete scheduled revenue share',
        description:
          'Purchases already recorded keep the share they were recorded with. Answers with the deleted schedule.',
        tags,
        params: schedulePath,
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
      const { group, actor, principal, params } = request;
      const schedule = await deleteSchedule(
        db,
        actor,
        {
          publisherId: principal.publisherId,
          groupId: group.groupId,
          scheduleId: toScheduleId(params.scheduledRevShareId),
        },
        clock.now(),
      );
      return sendJson(reply, toAnswer(schedule, group));
    },
  );
}
