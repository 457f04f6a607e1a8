import { Type } from 'typebox';
import { hideRehearsal, notePreviewSeen, readPreviewSeen } from '../../accounts/people/rehearsal.ts';
import { may, type Staff, staffOf } from '../../accounts/require-staff.ts';
import type { Permission } from '../../accounts/roles.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findSandbox, type Sandbox } from '../../publishers/sandboxes.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, oneOf } from '../schemas.ts';
import { type RehearsalStep, readRehearsal, rehearsalSteps } from './read-rehearsal.ts';

const permissionOf: Readonly<Record<RehearsalStep, Permission>> = {
  advance: 'program',
  preview: 'payouts',
  create: 'payouts',
  export: 'export',
  pay: 'payouts',
  'claw-back': 'payouts',
  carry: 'payouts',
};

const rehearsal = Type.Object(
  {
    steps: Type.Array(Type.Object({ step: oneOf(rehearsalSteps), isDone: Type.Boolean() }), {
      description: 'Steps that the role has permission for, in order.',
    }),
    groupId: nullable(
      Type.String({ description: 'Creator group to preview; null if no member is owed money.' }),
    ),
    currency: nullable(Type.String({ description: 'Currency to preview in that group.' })),
    payoutId: nullable(
      Type.String({ description: 'Payout of the rehearsal; null before it has been created.' }),
    ),
    transactionId: nullable(
      Type.String({
        description: 'Purchase in the payout that can be clawed back; null before it has been paid.',
      }),
    ),
  },
  { title: 'Rehearsal' },
);

/** Guide to the first payout in a sandbox. Its steps are read from the sandbox's own records. */
export function rehearsalRoutes(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Sandbox');
  const sandboxOf = async (publisherId: string): Promise<Sandbox> => {
    const sandbox = await findSandbox(db, publisherId);
    if (sandbox?.publisherId !== publisherId)
      throw new Refusal('Conflict', 'Payouts can be rehearsed only in a sandbox.');
    return sandbox;
  };

  operation(
    ['get', '/publishers/:publisherId/rehearsal', 'getRehearsal'],
    { may: 'payouts', summary: 'Get the steps of a payout rehearsal in a sandbox', answer: rehearsal },
    async (request) => {
      const staff = staffOf(request);
      const { publisherId, live, copiedAt } = await sandboxOf(request.params.publisherId);
      const seenAt =
        staff.kind === 'staff'
          ? await readPreviewSeen(db, { publisherId: live.publisherId, userId: staff.staffId })
          : null;
      const { done, ...hints } = await readRehearsal(
        db,
        publisherId,
        seenAt !== null && seenAt > copiedAt ? seenAt : null,
      );
      const allowed = rehearsalSteps.filter((step) => may(staff, permissionOf[step]));
      return { steps: allowed.map((step) => ({ step, isDone: done.has(step) })), ...hints };
    },
  );

  const forPerson = async (staff: Staff, publisherId: string) => {
    const { live } = await sandboxOf(publisherId);
    return staff.kind === 'staff' ? { publisherId: live.publisherId, userId: staff.staffId } : null;
  };

  operation(
    ['post', '/publishers/:publisherId/rehearsal/preview-seen', 'notePreviewSeen'],
    {
      may: 'payouts',
      summary: 'Record that the caller viewed a payout preview in a sandbox',
      description: 'Has no effect with an operator token.',
      body: Type.Object({}, closed),
      answer: Type.Object({}, { title: 'NotedPreview' }),
    },
    async (request) => {
      const person = await forPerson(staffOf(request), request.params.publisherId);
      if (person !== null) await notePreviewSeen(db, person);
      return {};
    },
  );

  operation(
    ['post', '/publishers/:publisherId/rehearsal/hidden', 'hideRehearsal'],
    {
      may: 'payouts',
      summary: 'Hide the payout rehearsal guide from the caller, or show it again',
      description: 'Has no effect with an operator token.',
      body: Type.Object({ isHidden: Type.Boolean() }, { ...closed, title: 'RehearsalToHide' }),
      answer: Type.Object({}, { title: 'HiddenRehearsal' }),
    },
    async (request) => {
      const person = await forPerson(staffOf(request), request.params.publisherId);
      if (person !== null) await hideRehearsal(db, person, request.body.isHidden);
      return {};
    },
  );
}
