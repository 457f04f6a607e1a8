import { Type } from 'typebox';
import { getStaffRules, putStaffRules } from '../../accounts/staff-rules.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { teamOf } from '../../publishers/sandboxes.ts';
import { adminOperations } from '../admin-operations.ts';
import { editedVersion } from '../schemas.ts';

const rules = Type.Object(
  {
    demandsTwoFactor: Type.Boolean({
      description: 'True if every person must use a second factor or a passkey.',
    }),
    fourEyesPayouts: Type.Boolean({
      description: 'True if a payout must be marked as paid by a person other than its creator.',
    }),
    version: editedVersion,
  },
  { ...closed, title: 'StaffRules' },
);

export function staffRulesRoutes(app: App, db: Db): void {
  const { operation } = adminOperations(app, 'Team');
  operation(
    ['get', '/publishers/:publisherId/staff-rules', 'getStaffRules'],
    { may: 'read', summary: 'Get the staff rules', answer: rules },
    async ({ params }) =>
      await getStaffRules(db, (await teamOf(db, params.publisherId)) ?? params.publisherId),
  );

  operation(
    ['put', '/publishers/:publisherId/staff-rules', 'putStaffRules'],
    { may: 'team', fresh: true, people: true, summary: 'Change the staff rules', body: rules, answer: rules },
    ({ params, body, actor }) => putStaffRules(db, actor, params.publisherId, body),
  );
}
