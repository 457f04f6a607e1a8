import { Type } from 'typebox';
import { changeRole } from '../../accounts/people/change-role.ts';
import { endSessions } from '../../accounts/people/end-sessions.ts';
import { listStaff } from '../../accounts/people/list-staff.ts';
import { removePerson } from '../../accounts/people/remove-person.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { teamOf } from '../../publishers/sandboxes.ts';
import { adminErrors, nullable, publisherPath, time } from '../schemas.ts';
import { role } from './schemas.ts';

const person = Type.Object(
  {
    userId: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Type.String(),
    invitedBy: Type.String(),
    joinedAt: time('Time the person accepted the invitation.'),
    lastSeenAt: nullable(time('Time of the last activity; null when the person has no session.')),
    hasSecondFactor: Type.Boolean(),
    version: Type.Integer(),
  },
  { title: 'Person' },
);

const personPath = Type.Object({ ...publisherPath.properties, userId: Type.String({ maxLength: 64 }) });

/** Registers the routes that list and change the people of a publisher's staff. */
export function peopleRoutes(app: App, db: Db, clock: Clock): void {
  app.get(
    '/publishers/:publisherId/staff',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listStaff',
        summary: 'List the people of the staff',
        tags: ['Team'],
        params: publisherPath,
        response: { 200: Type.Object({ rows: Type.Array(person) }, { title: 'Staff' }), ...adminErrors },
      },
    },
    async ({ params }, reply) =>
      sendJson(reply, {
        rows: await listStaff(db, (await teamOf(db, params.publisherId)) ?? params.publisherId),
      }),
  );

  app.patch(
    '/publishers/:publisherId/staff/:userId',
    {
      config: { staff: 'team', fresh: true, people: true },
      schema: {
        operationId: 'changeRole',
        summary: 'Change the role of a person',
        description: 'Tokens that the person created are revoked when the new role may not create tokens.',
        tags: ['Team'],
        params: personPath,
        body: Type.Object({ role, version: Type.Integer({ description: 'Version as last read.' }) }, closed),
        response: {
          200: Type.Object({ version: Type.Integer() }, { title: 'ChangedRole' }),
          ...adminErrors,
        },
      },
    },
    async ({ params, body, actor }, reply) =>
      sendJson(reply, { version: await changeRole(db, actor, { ...body, ...params }, clock.now()) }),
  );

  app.delete(
    '/publishers/:publisherId/staff/:userId',
    {
      config: { staff: 'team', fresh: true, people: true },
      schema: {
        operationId: 'removePerson',
        summary: 'Remove a person from the staff',
        description: 'Tokens that the person created are revoked.',
        tags: ['Team'],
        params: personPath,
        response: { 200: Type.Object({}, { title: 'RemovedPerson' }), ...adminErrors },
      },
    },
    async ({ params, actor }, reply) => {
      await removePerson(db, actor, params, clock.now());
      return sendJson(reply, {});
    },
  );

  app.post(
    '/publishers/:publisherId/staff/:userId/end-sessions',
    {
      config: { staff: 'team', fresh: true, people: true, bodyIsOptional: true },
      schema: {
        operationId: 'endSessions',
        summary: 'Sign a person out everywhere',
        tags: ['Team'],
        params: personPath,
        response: { 200: Type.Object({ ended: Type.Integer() }, { title: 'EndedSessions' }), ...adminErrors },
      },
    },
    async ({ params, actor }, reply) => sendJson(reply, { ended: await endSessions(db, actor, params) }),
  );
}
