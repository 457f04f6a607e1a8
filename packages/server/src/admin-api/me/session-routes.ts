import { Type } from 'typebox';
import { endOwnSessions } from '../../accounts/people/end-own-sessions.ts';
import { listOwnSessions } from '../../accounts/people/own-sessions.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { adminErrors, nullable, time } from '../schemas.ts';
import { sourceOf } from '../sign-in/answer-browser.ts';
import { personOf } from './person.ts';

const session = Type.Object(
  {
    sessionId: Type.String(),
    startedAt: time('When the session started.'),
    lastSeenAt: time('When it was last used, to the minute.'),
    userAgent: nullable(Type.String({ description: 'User agent of the browser.' })),
    address: nullable(Type.String({ description: 'IP address that started it.' })),
    isThis: Type.Boolean({ description: 'True for the session of this request.' }),
  },
  { title: 'OwnSession' },
);
const ended = Type.Object({ ended: Type.Integer() }, { title: 'EndedOwnSessions' });

/** Registers the routes of the signed-in person's sessions. */
export function sessionRoutes(app: App, { db, clock }: SignIn): void {
  app.get(
    '/me/sessions',
    {
      config: { staff: 'signed-in' },
      schema: {
        operationId: 'listOwnSessions',
        summary: 'List the sessions of the signed-in person',
        description: 'Most recently used first; at most 100.',
        tags: ['Sign-in'],
        response: {
          200: Type.Object({ rows: Type.Array(session) }, { title: 'OwnSessions' }),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const rows = await listOwnSessions(db, person.userId, clock.now());
      return sendJson(reply, {
        rows: rows.map((row) => ({ ...row, isThis: row.sessionId === person.sessionId })),
      });
    },
  );

  app.delete(
    '/me/sessions/:sessionId',
    {
      config: { staff: 'signed-in' },
      schema: {
        operationId: 'endOwnSession',
        summary: 'End another session',
        tags: ['Sign-in'],
        params: Type.Object({ sessionId: Type.String({ minLength: 1, maxLength: 64 }) }),
        response: { 200: ended, ...adminErrors },
      },
    },
    async (request, reply) =>
      sendJson(reply, {
        ended: await endOwnSessions(db, personOf(request), request.params.sessionId, sourceOf(request)),
      }),
  );

  app.post(
    '/me/sessions/end-others',
    {
      config: { staff: 'signed-in', bodyIsOptional: true },
      schema: {
        operationId: 'endOtherSessions',
        summary: 'End all other sessions',
        tags: ['Sign-in'],
        response: { 200: ended, ...adminErrors },
      },
    },
    async (request, reply) =>
      sendJson(reply, {
        ended: await endOwnSessions(db, personOf(request), 'all others', sourceOf(request)),
      }),
  );
}
