import { Type } from 'typebox';
import { createToken } from '../../accounts/tokens/create-token.ts';
import { listTokens } from '../../accounts/tokens/list-tokens.ts';
import { revokeToken } from '../../accounts/tokens/revoke-token.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed, inputName } from '../../platform/inputs.ts';
import { actorSummary } from '../payouts/payout-model.ts';
import { adminErrors, nullable, publisherPath, time } from '../schemas.ts';
import { role } from './schemas.ts';

const token = Type.Object(
  {
    tokenId: Type.String(),
    name: Type.String(),
    role: Type.String(),
    createdAt: time('Creation time.'),
    createdBy: nullable(actorSummary),
    expiresAt: time('Expiration time.'),
    lastUsedAt: nullable(time('Time it was last used, to the minute.')),
    revokedAt: nullable(time('Time it was revoked.')),
    state: Type.String({ enum: ['works', 'ended', 'revoked'] }),
  },
  { title: 'OperatorToken' },
);

/** Registers the routes of operator tokens, with which programs act for a publisher. */
export function tokenRoutes(app: App, db: Db, clock: Clock): void {
  app.get(
    '/publishers/:publisherId/tokens',
    {
      config: { staff: 'team' },
      schema: {
        operationId: 'listTokens',
        summary: 'List operator tokens, including revoked ones',
        tags: ['Team'],
        params: publisherPath,
        response: {
          200: Type.Object({ rows: Type.Array(token) }, { title: 'OperatorTokens' }),
          ...adminErrors,
        },
      },
    },
    async ({ params }, reply) =>
      sendJson(reply, { rows: await listTokens(db, params.publisherId, clock.now()) }),
  );

  app.post(
    '/publishers/:publisherId/tokens',
    {
      config: { staff: 'team', fresh: true, people: true },
      schema: {
        operationId: 'createToken',
        summary: 'Create an operator token, which is shown once',
        tags: ['Team'],
        params: publisherPath,
        body: Type.Object(
          {
            name: inputName,
            role,
            expiresInDays: Type.Integer({ minimum: 1, maximum: 366 }),
          },
          closed,
        ),
        response: {
          200: Type.Object(
            {
              tokenId: Type.String(),
              token: Type.String({ description: 'The token (svc_ok_…), which is not stored.' }),
              expiresAt: time('Expiration time.'),
            },
            { title: 'CreatedToken' },
          ),
          ...adminErrors,
        },
      },
    },
    async ({ params, body, actor }, reply) => {
      const now = clock.now();
      const { expiresInDays, ...input } = body;
      const expiresAt = new Date(now.getTime() + expiresInDays * 86_400_000);
      const created = await createToken(db, actor, { ...input, ...params, expiresAt }, now);
      return sendJson(reply, { ...created, expiresAt });
    },
  );

  app.delete(
    '/publishers/:publisherId/tokens/:tokenId',
    {
      config: { staff: 'team', fresh: true, people: true },
      schema: {
        operationId: 'revokeToken',
        summary: 'Revoke an operator token',
        tags: ['Team'],
        params: Type.Object({ ...publisherPath.properties, tokenId: Type.String({ maxLength: 64 }) }),
        response: { 200: Type.Object({}, { title: 'RevokedToken' }), ...adminErrors },
      },
    },
    async ({ params, actor }, reply) => {
      await revokeToken(db, actor, params, clock.now());
      return sendJson(reply, {});
    },
  );
}
