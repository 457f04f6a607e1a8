import { Type } from 'typebox';
import { playerId } from '../members/player-id.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { App } from '../platform/http/app-type.ts';
import { operation } from '../platform/http/operation.ts';
import { errorBody, groupId, secretErrors } from '../platform/http/schemas/schemas.ts';
import { Refusal, type RefusalCode } from '../platform/refusal.ts';
import { issueOwnAuthCode } from './issue-auth-code.ts';

export interface AuthCodeDeps {
  db: Db;
  clock: Clock;
  authCodeSecret: Buffer;
}

const path = '/v1/manage/members/:playerId/authCode';

/** Errors reported identically, so that a caller can't learn whether an account also belongs to another publisher. */
const indistinguishable: ReadonlySet<RefusalCode> = new Set(['PlayerNotInGroup', 'Forbidden']);

export function getAuthCodeRoute(app: App, { db, clock, authCodeSecret }: AuthCodeDeps): void {
  // A HEAD request would issue a code that is never displayed and invalidate the creator's current one.
  app.head(path, { config: { key: 'secret' }, schema: { hide: true } }, (_request, reply) =>
    reply.code(405).header('allow', 'GET').send(),
  );

  operation(
    app,
    ['get', path, 'getAuthCode'],
    {
      config: { key: 'secret', group: 'as read' },
      exposeHeadRoute: false,
      summary: 'Get an auth code',
      description:
        'Issues a code that links the account of this Approved or Pending member to a player. The code works once, expires after 30 minutes, and replaces the previous code. A publisher can get codes only for accounts that it created and that do not belong to another publisher. Other creators get codes from their own accounts.',
      tags: ['Linking'],
      path: { playerId },
      query: { groupId },
      answer: Type.Object(
        {
          authCode: Type.String({ description: 'XXXX-XXXX' }),
          expiresAt: Type.String({ format: 'date-time' }),
        },
        { title: 'AuthCode', description: 'Single-use code that links an account to a player.' },
      ),
      errors: {
        400: errorBody(
          'InvalidGroup, or PlayerNotInGroup: no member has this playerId, or the publisher can’t issue codes for that member.',
        ),
        ...secretErrors,
      },
    },
    async (request, reply) => {
      const { publisherId } = request.principal;
      const { groupId } = request.group;
      const issued = await issueOwnAuthCode({ db, secret: authCodeSecret, now: clock.now() }, request.actor, {
        publisherId,
        groupId,
        playerId: request.params.playerId,
      }).catch((error) => {
        if (!(error instanceof Refusal) || !indistinguishable.has(error.code)) throw error;
        throw new Refusal(
          'PlayerNotInGroup',
          'No member of the creator group has this playerId, or only the creator can get auth codes for that member.',
        );
      });
      reply.header('cache-control', 'no-store'); // a credential
      return { authCode: issued.authCode, expiresAt: issued.expiresAt.toISOString() };
    },
  );
}
