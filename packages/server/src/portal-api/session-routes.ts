import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { nullable, time } from '../platform/http/schemas/fields.ts';
import type { Portal } from '../portal/create-portal.ts';
import { endedSessionCookie } from '../portal/portal-cookies.ts';
import { requireOn, sessionOf } from '../portal/require-portal.ts';
import { endSession, listSessions } from '../portal/sessions.ts';
import { portalOperations } from './portal-operations.ts';

const session = Type.Object(
  {
    sessionId: Type.String(),
    startedAt: time('When the session started.'),
    lastSeenAt: time('When the session was last used, to the hour.'),
    expiresAt: time('When the session ends at the latest.'),
    address: nullable(Type.String({ description: 'IP address that started the session.' })),
    userAgent: nullable(Type.String({ description: "The browser's user agent." })),
    isThis: Type.Boolean({ description: 'True for the session of this request.' }),
  },
  { title: 'Session' },
);
const endedSession = Type.Object({}, { title: 'EndedSession' });

export function sessionRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Sign-in');
  const { db, clock } = portal;
  operation(
    ['get', '/session', 'getSession'],
    {
      of: 'signed-in',
      summary: 'Get the session of this browser',
      description: 'Returns 401 if the browser has none.',
      answer: Type.Object(
        {
          email: Type.String(),
          startedAt: time('When the session started.'),
          expiresAt: time('When the session ends at the latest. It ends earlier after 14 days without use.'),
        },
        { title: 'CurrentSession' },
      ),
    },
    (request) => {
      const { email, startedAt, expiresAt } = sessionOf(request);
      return { email, startedAt, expiresAt };
    },
  );

  operation(
    ['delete', '/session', 'signOut'],
    {
      of: 'signed-in',
      summary: 'Sign out in this browser',
      description: 'Ends the session and removes its cookie. Other sessions continue.',
      answer: endedSession,
    },
    async (request, reply) => {
      await endSession(db, sessionOf(request));
      reply.header('set-cookie', endedSessionCookie(requireOn(portal)));
      return {};
    },
  );

  operation(
    ['get', '/sessions', 'listSessions'],
    {
      of: 'signed-in',
      summary: 'List the sessions of the signed-in person',
      description: 'Most recently used first; at most 50.',
      answer: Type.Object({ rows: Type.Array(session) }, { title: 'Sessions' }),
    },
    async (request) => {
      const { userId, sessionId } = sessionOf(request);
      const rows = await listSessions(db, userId, clock.now());
      return { rows: rows.map((row) => ({ ...row, isThis: row.sessionId === sessionId })) };
    },
  );

  operation(
    ['delete', '/sessions/:sessionId', 'endSession'],
    {
      of: 'signed-in',
      summary: 'End one of the sessions of the signed-in person',
      description: 'The browser of the session is signed out at once.',
      path: { sessionId: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the session.' }) },
      answer: endedSession,
    },
    async (request) => {
      const { userId } = sessionOf(request);
      await endSession(db, { userId, sessionId: request.params.sessionId });
      return {};
    },
  );
}
