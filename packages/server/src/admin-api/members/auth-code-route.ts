import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { issueOwnAuthCode } from '../../linking/issue-auth-code.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { adminOperations } from '../admin-operations.ts';
import { time } from '../schemas.ts';
import { memberPath } from './member-schemas.ts';

export function authCodeRoute(app: App, { database: { db }, clock }: Service, secret: Buffer): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['post', '/publishers/:publisherId/members/:memberId/auth-code', 'issueAuthCodeOfCreator'],
    {
      may: 'auth-codes',
      summary: 'Issue an auth code for a creator',
      description:
        'The code is shown only once and is valid for 30 minutes. The previous auth code stops working. Creators with their own accounts must get auth codes themselves.',
      path: memberPath.properties,
      answer: Type.Object(
        {
          memberId: Type.String(),
          authCode: Type.String({ description: 'XXXX-XXXX' }),
          expiresAt: time('When the auth code expires.'),
        },
        { title: 'AuthCodeOfCreator' },
      ),
    },
    async ({ params: { publisherId, memberId }, actor }, reply) => {
      const issued = await issueOwnAuthCode({ db, secret, now: clock.now() }, actor, {
        publisherId,
        accountId: toAccountId(memberId),
      });
      reply.header('cache-control', 'no-store'); // a credential
      return {
        memberId: issued.accountId,
        authCode: issued.authCode,
        expiresAt: issued.expiresAt,
      };
    },
  );
}
