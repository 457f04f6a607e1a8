import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { warn } from '../../platform/http/answers/warnings.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
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
  withBodyPaths,
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

/** Registers operation 5 of the contract. */
export function createScheduleRoute(app: App, { db, revShareOne }: ScheduleDeps): void {
  operation(
    app,
    ['post', url, 'createScheduledRevShare'],
    {
      config: savingConfig,
      summary: 'Create a scheduled revenue share',
      description:
        'Creates a schedule. Requests are not idempotent: resending one fails with 409, because its window overlaps the existing schedule.',
      tags,
      query: { groupId },
      body: scheduleBody,
      answer: scheduleObject,
      errors: savingErrors,
    },
    async (request, reply) => {
      const { body, group, actor } = request;
      const schedule = await withBodyPaths(() =>
        createSchedule(db, actor, {
          publisherId: request.principal.publisherId,
          groupId: group.groupId,
          terms: termsOfBody(body, revShareOne),
        }),
      );
      if (storesWhole(body, revShareOne)) warn(reply, 'rev-share-one-stored-as-100-percent');
      return toAnswer(schedule, group);
    },
  );
}

/** Registers operation 6 of the contract. */
export function replaceScheduleRoute(app: App, { db, revShareOne }: ScheduleDeps): void {
  operation(
    app,
    ['put', `${url}/:scheduledRevShareId`, 'replaceScheduledRevShare'],
    {
      config: savingConfig,
      summary: 'Replace a scheduled revenue share',
      description: 'Replaces the whole schedule, including its tier shares.',
      tags,
      path: schedulePath.properties,
      query: { groupId },
      body: scheduleBody,
      answer: scheduleObject,
      errors: savingErrors,
    },
    async (request, reply) => {
      const { body, group, actor } = request;
      const schedule = await withBodyPaths(() =>
        replaceSchedule(db, actor, {
          publisherId: request.principal.publisherId,
          groupId: group.groupId,
          scheduleId: toScheduleId(request.params.scheduledRevShareId),
          terms: termsOfBody(body, revShareOne),
        }),
      );
      if (storesWhole(body, revShareOne)) warn(reply, 'rev-share-one-stored-as-100-percent');
      return toAnswer(schedule, group);
    },
  );
}

export function listSchedulesRoute(app: App, { db, clock }: ScheduleDeps): void {
  operation(
    app,
    ['get', url, 'listScheduledRevShares'],
    {
      config: { key: 'secret', group: 'as manage' },
      summary: 'List scheduled revenue shares',
      description: 'Returns a page of the schedules that are not deleted, ordered by their start.',
      tags,
      query: { groupId, page: pageNumber, pageSize },
      answer: Type.Object(
        {
          ...pagingFields,
          scheduledRevShares: Type.Array(
            Type.Object(
              {
                ...scheduleFields,
                status: Type.String({ enum: ['Active', 'Upcoming', 'Ended'] }),
              },
              { title: 'ListedScheduledRevenueShare', description: 'A schedule with its status.' },
            ),
          ),
        },
        { title: 'ScheduledRevenueSharePage', description: 'A page of schedules.' },
      ),
      errors: {
        400: errorBody('InvalidPage, InvalidPageSize or InvalidInput.'),
        404: errorBody('InvalidGroup: no creator group has this groupId.'),
        ...secretErrors,
      },
    },
    async (request) => {
      const { group } = request;
      const { page = 1, pageSize: size = 10 } = request.query;
      const { schedules, totalCount } = await listSchedules(
        db,
        { publisherId: request.principal.publisherId, groupId: group.groupId },
        { page, size },
      );
      const now = await nowAt(db, clock, request.principal.publisherId);
      return {
        ...namesOf(group),
        currentPage: page,
        currentPageSize: size,
        totalCount,
        scheduledRevShares: schedules.map((schedule) => ({
          ...toAnswer(schedule, group),
          status: statusOf(schedule, now),
        })),
      };
    },
  );
}

export function deleteScheduleRoute(app: App, { db, clock }: ScheduleDeps): void {
  operation(
    app,
    ['delete', `${url}/:scheduledRevShareId`, 'deleteScheduledRevShare'],
    {
      config: { key: 'secret', group: 'as manage' },
      summary: 'Delete a scheduled revenue share',
      description:
        'Deletes and returns a schedule. Recorded purchases keep the share they were recorded with.',
      tags,
      path: schedulePath.properties,
      query: { groupId },
      answer: Type.Object(scheduleFields, scheduleModel),
      errors: {
        400: errorBody('InvalidInput.'),
        404: errorBody('InvalidGroup, or NotFound: the group has no such schedule.'),
        ...secretErrors,
      },
    },
    async (request) => {
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
      return toAnswer(schedule, group);
    },
  );
}
