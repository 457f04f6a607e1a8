import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { issueOwnAuthCode } from '../../linking/issue-auth-code.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { adminErrors, time } from '../schemas.ts';
import { memberPath, memberTags } from './member-schemas.ts';

/** Registers the route that issues auth codes for creators. */
export function authCodeRoute(app: App, { database: { db }, clock }: Service, secret: Buffer): void {
  app.post(
    '/publishers/:publisherId/members/:memberId/auth-code',
    {
      config: { staff: 'auth-codes' },
      schema: {
        operationId: 'issueAuthCodeOfCreator',
        summary: 'Issue an auth code for a creator',
        description:
          'Shown only once and valid for 30 minutes; the previous auth code stops working. A creator who has their own account gets auth codes only there.',
        tags: memberTags,
        params: memberPath,
        response: {
          200: Type.Object(
            {
              memberId: Type.String(),
              authCode: Type.String({ description: 'XXXX-XXXX' }),
              expiresAt: time('When it expires.'),
            },
            { title: 'AuthCodeOfCreator' },
          ),
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId, memberId }, actor }, reply) => {
      const issued = await issueOwnAuthCode({ db, secret, now: clock.now() }, actor, {
        publisherId,
        accountId: toAccountId(memberId),
      });
      reply.header('cache-control', 'no-store'); // a credential
      return sendJson(reply, {
        memberId: issued.accountId,
        authCode: issued.authCode,
        expiresAt: issued.expiresAt,
      });
    },
  );
}
