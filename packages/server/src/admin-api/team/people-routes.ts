import { Type } from 'typebox';
import { changeRole } from '../../accounts/people/change-role.ts';
import { endSessions } from '../../accounts/people/end-sessions.ts';
import { listStaff } from '../../accounts/people/list-staff.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { teamOf } from '../../publishers/sandboxes.ts';
import { adminOperations } from '../admin-operations.ts';
import { editedVersion, nullable, publisherPath, time, versionField } from '../schemas.ts';
import { role } from './schemas.ts';

const person = Type.Object(
  {
    userId: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Type.String(),
    invitedBy: Type.String(),
    joinedAt: time('Time the person accepted the invitation.'),
    lastSeenAt: nullable(time('Time of the last activity; null if the person has no session.')),
    hasSecondFactor: Type.Boolean(),
    version: versionField,
  },
  { title: 'Person' },
);

const personPath = Type.Object({ ...publisherPath.properties, userId: Type.String({ maxLength: 64 }) });

export function peopleRoutes(app: App, { database: { db }, clock, operations }: Service): void {
  const { operation } = adminOperations(app, 'Team');
  operation(
    ['get', '/publishers/:publisherId/staff', 'listStaff'],
    {
      may: 'read',
      summary: 'List the people on the staff',
      answer: Type.Object({ rows: Type.Array(person) }, { title: 'Staff' }),
    },
    async ({ params }) => ({
      rows: await listStaff(db, (await teamOf(db, params.publisherId)) ?? params.publisherId),
    }),
  );

  operation(
    ['patch', '/publishers/:publisherId/staff/:userId', 'changeRole'],
    {
      may: 'team',
      fresh: true,
      people: true,
      summary: 'Change the role of a person',
      description: 'Tokens that the person created are revoked if the new role may not create tokens.',
      path: personPath.properties,
      body: Type.Object({ role, version: editedVersion }, closed),
      answer: Type.Object({ version: versionField }, { title: 'ChangedRole' }),
    },
    async ({ params, body, actor }) => ({
      version: await changeRole(db, actor, { ...body, ...params }, clock.now()),
    }),
  );

  operation(
    ['delete', '/publishers/:publisherId/staff/:userId', 'removePerson'],
    {
      may: 'team',
      fresh: true,
      people: true,
      summary: 'Remove a person from the staff',
      description: 'Tokens that the person created are revoked, and their notification settings are deleted.',
      path: personPath.properties,
      answer: Type.Object({}, { title: 'RemovedPerson' }),
    },
    async ({ params, actor }) => {
      await operations.removePerson(db, actor, params);
      return {};
    },
  );

  operation(
    ['post', '/publishers/:publisherId/staff/:userId/end-sessions', 'endSessions'],
    {
      may: 'team',
      fresh: true,
      people: true,
      bodyIsOptional: true,
      summary: 'Sign a person out everywhere',
      path: personPath.properties,
      answer: Type.Object({ ended: Type.Integer() }, { title: 'EndedSessions' }),
    },
    async ({ params, actor }) => ({ ended: await endSessions(db, actor, params) }),
  );
}
