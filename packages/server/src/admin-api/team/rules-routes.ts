import { Type } from 'typebox';
import { getStaffRules, putStaffRules } from '../../accounts/staff-rules.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { teamOf } from '../../publishers/sandboxes.ts';
import { adminErrors, publisherPath } from '../schemas.ts';

const rules = Type.Object(
  {
    demandsTwoFactor: Type.Boolean({
      description: 'True when every person must use a second factor or a passkey.',
    }),
    fourEyesPayouts: Type.Boolean({
      description: 'True when a payout must be marked as paid by another person than its creator.',
    }),
    version: Type.Integer({ description: 'Version as last read; 0 before the first change.' }),
  },
  { ...closed, title: 'StaffRules' },
);

/** Registers the routes of a publisher's staff rules. */
export function staffRulesRoutes(app: App, db: Db): void {
  app.get(
    '/publishers/:publisherId/staff-rules',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'getStaffRules',
        summary: 'Get the staff rules',
        tags: ['Team'],
        params: publisherPath,
        response: { 200: rules, ...adminErrors },
      },
    },
    async ({ params }, reply) =>
      sendJson(reply, await getStaffRules(db, (await teamOf(db, params.publisherId)) ?? params.publisherId)),
  );

  app.put(
    '/publishers/:publisherId/staff-rules',
    {
      config: { staff: 'team', fresh: true, people: true },
      schema: {
        operationId: 'putStaffRules',
        summary: 'Change the staff rules',
        tags: ['Team'],
        params: publisherPath,
        body: rules,
        response: { 200: rules, ...adminErrors },
      },
    },
    async ({ params, body, actor }, reply) =>
      sendJson(reply, await putStaffRules(db, actor, params.publisherId, body)),
  );
}
