import { Type } from 'typebox';
import { dismissFirstSteps } from '../../accounts/people/dismiss-first-steps.ts';
import { may, staffOf } from '../../accounts/require-staff.ts';
import type { Permission } from '../../accounts/roles.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { oneOf } from '../schemas.ts';
import { type FirstStep, firstSteps, readFirstSteps } from './read-first-steps.ts';

/** Number of days after its first purchase during which a publisher counts as new. */
const newForDays = 14;
const dayMs = 86_400_000;

const permissionOf: Readonly<Record<FirstStep, Permission>> = {
  group: 'program',
  creator: 'members',
  purchase: 'keys',
  portal: 'members',
  webhook: 'webhooks',
  colleague: 'team',
};

const steps = Type.Object(
  {
    isWanted: Type.Boolean({
      description:
        "False if the publisher isn't new or is a sandbox, if the person has dismissed the list, or if all steps are done.",
    }),
    hasPurchases: Type.Boolean({
      description: 'False if no purchase was ever recorded, not even a Test purchase.',
    }),
    steps: Type.Array(
      Type.Object({
        step: oneOf(firstSteps),
        isDone: Type.Boolean(),
      }),
      {
        description:
          'Steps that the role has permission for, in order. `portal` is absent while the portal is off.',
      },
    ),
  },
  { title: 'FirstSteps' },
);

export function firstStepRoutes(app: App, { database: { db }, clock, portal }: Service): void {
  const { operation } = adminOperations(app, 'Overview');
  operation(
    ['get', '/publishers/:publisherId/first-steps', 'getFirstSteps'],
    { may: 'read', summary: 'Get the first steps for a new publisher', answer: steps },
    async (request) => {
      const staff = staffOf(request);
      const { isWanted, hasPurchases, done } = await readFirstSteps(db, {
        publisherId: request.params.publisherId,
        userId: staff.kind === 'staff' ? staff.staffId : null,
        newSince: new Date(clock.now().getTime() - newForDays * dayMs).toISOString().slice(0, 10),
      });
      const allowed =
        isWanted && !staff.isSandbox
          ? firstSteps.filter(
              (step) => may(staff, permissionOf[step]) && (step !== 'portal' || portal.url !== null),
            )
          : [];
      return {
        isWanted: allowed.some((step) => !done.has(step)),
        hasPurchases,
        steps: allowed.map((step) => ({ step, isDone: done.has(step) })),
      };
    },
  );

  operation(
    ['post', '/publishers/:publisherId/first-steps/dismiss', 'dismissFirstSteps'],
    {
      may: 'read',
      summary: "Permanently dismiss the caller's list of first steps",
      description: 'Has no effect with an operator token, which has no list of its own.',
      body: Type.Object({}, closed),
      answer: Type.Object({}, { title: 'DismissedFirstSteps' }),
    },
    async (request) => {
      const staff = staffOf(request);
      if (staff.kind === 'staff')
        await dismissFirstSteps(
          db,
          { publisherId: request.params.publisherId, userId: staff.staffId },
          clock.now(),
        );
      return {};
    },
  );
}
