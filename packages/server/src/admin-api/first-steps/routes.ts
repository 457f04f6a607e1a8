import { Type } from 'typebox';
import { dismissFirstSteps } from '../../accounts/people/dismiss-first-steps.ts';
import { may, staffOf } from '../../accounts/require-staff.ts';
import type { Permission } from '../../accounts/roles.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import type { AdminService } from '../admin-service.ts';
import { adminErrors, publisherPath } from '../schemas.ts';
import { type FirstStep, firstSteps, readFirstSteps } from './read-first-steps.ts';

/** A publisher with purchases of more days than this is not new. */
const newForDays = 14;
const dayMs = 86_400_000;

const permissionOf: Readonly<Record<FirstStep, Permission>> = {
  group: 'program',
  creator: 'members',
  key: 'keys',
  purchase: 'keys',
  webhook: 'webhooks',
  colleague: 'team',
};

const steps = Type.Object(
  {
    isWanted: Type.Boolean({
      description:
        'False for a publisher that is not new, for a sandbox, for a person who dismissed the list, and when all of it is done.',
    }),
    steps: Type.Array(
      Type.Object({
        step: Type.Union(firstSteps.map((step) => Type.Literal(step))),
        isDone: Type.Boolean(),
      }),
      { description: 'Those that the role may do, in their order.' },
    ),
  },
  { title: 'FirstSteps' },
);

/** First things that a new publisher does. */
export function firstStepRoutes(app: App, { database: { db }, clock }: AdminService): void {
  const path = '/publishers/:publisherId/first-steps';
  app.get(
    path,
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'getFirstSteps',
        summary: 'What a new publisher has done, and what comes next',
        tags: ['Overview'],
        params: publisherPath,
        response: { 200: steps, ...adminErrors },
      },
    },
    async (request, reply) => {
      const staff = staffOf(request);
      if (staff.isSandbox) return sendJson(reply, { isWanted: false, steps: [] });
      const { isWanted, done } = await readFirstSteps(db, {
        publisherId: request.params.publisherId,
        userId: staff.kind === 'staff' ? staff.staffId : null,
        newSince: new Date(clock.now().getTime() - newForDays * dayMs).toISOString().slice(0, 10),
      });
      const own = isWanted ? firstSteps.filter((step) => may(staff, permissionOf[step])) : [];
      return sendJson(reply, {
        isWanted: own.some((step) => !done.has(step)),
        steps: own.map((step) => ({ step, isDone: done.has(step) })),
      });
    },
  );

  app.post(
    `${path}/dismiss`,
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'dismissFirstSteps',
        summary: 'Put the list of first steps away, for oneself and for good',
        description: 'For a person; a program with a token has no list of its own, and nothing changes.',
        tags: ['Overview'],
        params: publisherPath,
        body: Type.Object({}, closed),
        response: { 200: Type.Object({}, { title: 'DismissedFirstSteps' }), ...adminErrors },
      },
    },
    async (request, reply) => {
      const staff = staffOf(request);
      if (staff.kind === 'staff')
        await dismissFirstSteps(
          db,
          { publisherId: request.params.publisherId, userId: staff.staffId },
          clock.now(),
        );
      return sendJson(reply, {});
    },
  );
}
