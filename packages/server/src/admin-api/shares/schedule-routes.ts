import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { toScheduleId } from '../../platform/ids.ts';
import { closed, inputGroupId } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { createSchedule } from '../../revenue-shares/schedules/create-schedule.ts';
import { deleteSchedule } from '../../revenue-shares/schedules/delete-schedule.ts';
import { ScheduleOverlap } from '../../revenue-shares/schedules/find-overlaps.ts';
import { replaceSchedule } from '../../revenue-shares/schedules/replace-schedule.ts';
import { adminOperations } from '../admin-operations.ts';
import { requireFound } from '../require-found.ts';
import { editedVersion, groupQuery, pageOf, pageQuery, publisherPath } from '../schemas.ts';
import { listSchedules, shownSchedules } from './list-schedules.ts';
import { readTerms, scheduleRow, termsFields } from './schedule-schemas.ts';

const schedulePath = Type.Object({
  ...publisherPath.properties,
  scheduleId: Type.String({ minLength: 21, maxLength: 21 }),
});

export function scheduleRoutes(app: App, { database: { db }, clock }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Shares');
  operation(
    ['get', '/publishers/:publisherId/schedules', 'listShareSchedules'],
    {
      may: 'read',
      summary: 'List the schedules of a group, earliest start first',
      description: 'Lists the schedules of the default group unless the request names another group.',
      query: {
        ...groupQuery,
        ...pageQuery,
        from: Type.Optional(timestamp('Only schedules that end after this time.')),
        until: Type.Optional(timestamp('Only schedules that start before this time.')),
      },
      answer: pageOf(scheduleRow, 'ShareSchedulePage'),
    },
    async ({ params: { publisherId }, query }) =>
      await listSchedules(db, pages, {
        publisherId,
        groupId: await findGroup(db, publisherId, query.group),
        from: query.from === undefined ? null : readTimestamp(query.from),
        until: query.until === undefined ? null : readTimestamp(query.until),
        cursor: query.cursor ?? null,
        size: query.limit ?? 50,
      }),
  );
  operation(
    ['post', '/publishers/:publisherId/schedules', 'createShareSchedule'],
    {
      may: 'program',
      summary: 'Create a schedule',
      body: Type.Object(termsFields, closed),
      answer: scheduleRow,
    },
    async ({ params: { publisherId }, body, actor }) => {
      const group = { publisherId, groupId: await findGroup(db, publisherId, body.groupId) };
      const schedule = await withOverlapDetails(() =>
        createSchedule(db, actor, { ...group, terms: readTerms(body) }),
      );
      return requireFound((await shownSchedules(db, group, [schedule]))[0], 'The schedule');
    },
  );
  operation(
    ['put', '/publishers/:publisherId/schedules/:scheduleId', 'replaceShareSchedule'],
    {
      may: 'program',
      summary: 'Replace the terms of a schedule',
      path: schedulePath.properties,
      body: Type.Object({ ...termsFields, version: editedVersion }, closed),
      answer: scheduleRow,
    },
    async ({ params: { publisherId, scheduleId }, body, actor }) => {
      const group = { publisherId, groupId: body.groupId };
      const schedule = await withOverlapDetails(() =>
        replaceSchedule(db, actor, {
          ...group,
          scheduleId: toScheduleId(scheduleId),
          terms: readTerms(body),
          version: body.version,
        }),
      );
      return requireFound((await shownSchedules(db, group, [schedule]))[0], 'The schedule');
    },
  );
  operation(
    ['post', '/publishers/:publisherId/schedules/:scheduleId/delete', 'deleteShareSchedule'],
    {
      may: 'program',
      summary: 'Delete a schedule',
      description: 'Recorded purchases keep the share that they were recorded with.',
      path: schedulePath.properties,
      body: Type.Object({ groupId: inputGroupId, version: editedVersion }, closed),
      answer: Type.Object({ scheduleId: Type.String() }, { title: 'DeletedShareSchedule' }),
    },
    async ({ params: { publisherId, scheduleId }, body, actor }) => {
      const schedule = { ...body, publisherId, scheduleId: toScheduleId(scheduleId) };
      await deleteSchedule(db, actor, schedule, clock.now());
      return { scheduleId };
    },
  );
}

/**
 * Runs a function that saves a schedule. If its window overlaps another schedule, adds that schedule to the
 * error.
 */
async function withOverlapDetails<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ScheduleOverlap) || error.clash === null) throw error;
    const { scheduleId, startsAt, endsAt } = error.clash;
    throw new Refusal(
      'Conflict',
      `The window overlaps schedule ${scheduleId}, from ${startsAt.toISOString()} to ${endsAt.toISOString()}. Nothing was saved; change the window.`,
      { cause: error },
    );
  }
}
