import { Type } from 'typebox';
import { endOwnSessions } from '../../accounts/me/end-own-sessions.ts';
import { listOwnSessions } from '../../accounts/me/list-own-sessions.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import type { App } from '../../platform/http/app-type.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, time } from '../schemas.ts';
import { selfOf } from './self-of.ts';

const session = Type.Object(
  {
    sessionId: Type.String(),
    startedAt: time('When the session started.'),
    lastSeenAt: time('When the session was last used, to the minute.'),
    userAgent: nullable(Type.String({ description: "The browser's user agent." })),
    address: nullable(Type.String({ description: 'IP address that started the session.' })),
    isThis: Type.Boolean({ description: 'True for the session of this request.' }),
  },
  { title: 'OwnSession' },
);
const ended = Type.Object({ ended: Type.Integer() }, { title: 'EndedOwnSessions' });

export function sessionRoutes(app: App, signIn: SignIn): void {
  const { db, clock } = signIn;
  const { operation } = adminOperations(app, 'Sign-in');
  operation(
    ['get', '/me/sessions', 'listOwnSessions'],
    {
      may: 'signed-in',
      people: true,
      summary: 'List the sessions of the signed-in person',
      description: 'Most recently used first; at most 100.',
      answer: Type.Object({ rows: Type.Array(session) }, { title: 'OwnSessions' }),
    },
    async (request) => {
      const { userId, sessionId } = selfOf(signIn, request);
      const rows = await listOwnSessions(db, userId, clock.now());
      return { rows: rows.map((row) => ({ ...row, isThis: row.sessionId === sessionId })) };
    },
  );

  operation(
    ['delete', '/me/sessions/:sessionId', 'endOwnSession'],
    {
      may: 'signed-in',
      people: true,
      summary: 'End another session',
      path: { sessionId: Type.String({ minLength: 1, maxLength: 64 }) },
      answer: ended,
    },
    async (request) => ({
      ended: await endOwnSessions(db, selfOf(signIn, request), request.params.sessionId),
    }),
  );

  operation(
    ['post', '/me/sessions/end-others', 'endOtherSessions'],
    {
      may: 'signed-in',
      people: true,
      bodyIsOptional: true,
      summary: 'End all other sessions',
      answer: ended,
    },
    async (request) => ({ ended: await endOwnSessions(db, selfOf(signIn, request), 'all others') }),
  );
}
