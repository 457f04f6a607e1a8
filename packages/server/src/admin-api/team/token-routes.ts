import { Type } from 'typebox';
import { createToken } from '../../accounts/tokens/create-token.ts';
import { listTokens } from '../../accounts/tokens/list-tokens.ts';
import { revokeToken } from '../../accounts/tokens/revoke-token.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed, inputName } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { actorSummary } from '../payouts/payout-model.ts';
import { nullable, time } from '../schemas.ts';
import { role } from './schemas.ts';

const token = Type.Object(
  {
    tokenId: Type.String(),
    name: Type.String(),
    role: Type.String(),
    createdAt: time('Creation time.'),
    createdBy: nullable(actorSummary),
    expiresAt: time('Expiration time.'),
    lastUsedAt: nullable(time('Time the token was last used, to the minute.')),
    revokedAt: nullable(time('Time the token was revoked.')),
    state: Type.String({ enum: ['works', 'ended', 'revoked'] }),
  },
  { title: 'OperatorToken' },
);

export function tokenRoutes(app: App, db: Db, clock: Clock): void {
  const { operation } = adminOperations(app, 'Team');
  operation(
    ['get', '/publishers/:publisherId/tokens', 'listTokens'],
    {
      may: 'team',
      summary: 'List operator tokens, including revoked tokens',
      answer: Type.Object({ rows: Type.Array(token) }, { title: 'OperatorTokens' }),
    },
    async ({ params }) => ({ rows: await listTokens(db, params.publisherId, clock.now()) }),
  );

  operation(
    ['post', '/publishers/:publisherId/tokens', 'createToken'],
    {
      may: 'team',
      fresh: true,
      people: true,
      summary: 'Create an operator token, which is shown once',
      body: Type.Object(
        {
          name: inputName,
          role,
          expiresInDays: Type.Integer({ minimum: 1, maximum: 366 }),
        },
        closed,
      ),
      answer: Type.Object(
        {
          tokenId: Type.String(),
          token: Type.String({ description: 'The token (svc_ok_…), which is not stored.' }),
          expiresAt: time('Expiration time.'),
        },
        { title: 'CreatedToken' },
      ),
    },
    async ({ params, body, actor }) => {
      const now = clock.now();
      const { expiresInDays, ...input } = body;
      const expiresAt = new Date(now.getTime() + expiresInDays * 86_400_000);
      const created = await createToken(db, actor, { ...input, ...params, expiresAt }, now);
      return { ...created, expiresAt };
    },
  );

  operation(
    ['delete', '/publishers/:publisherId/tokens/:tokenId', 'revokeToken'],
    {
      may: 'team',
      fresh: true,
      people: true,
      summary: 'Revoke an operator token',
      path: { tokenId: Type.String({ maxLength: 64 }) },
      answer: Type.Object({}, { title: 'RevokedToken' }),
    },
    async ({ params, actor }) => {
      await revokeToken(db, actor, params, clock.now());
      return {};
    },
  );
}
