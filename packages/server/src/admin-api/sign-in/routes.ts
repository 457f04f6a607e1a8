import { Type } from 'typebox';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { noPublicOrigin } from '../../accounts/sign-in/public-origin.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { adminErrors, nullable } from '../schemas.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { passkeySignInRoutes } from './passkey-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { resetRoutes } from './reset-routes.ts';

/** All that somebody asks for who is not signed in. */
export function signInRoutes(app: App, signIn: SignIn): void {
  app.get(
    '/auth/ways',
    {
      config: { staff: 'public' },
      schema: {
        operationId: 'listWaysIn',
        summary: 'How people sign in here',
        tags: ['Sign-in'],
        response: {
          200: Type.Object(
            {
              refused: nullable(Type.String({ description: 'Why nobody can sign in at this address.' })),
              providers: Type.Array(
                Type.Object({ id: Type.String(), name: Type.String() }, { title: 'SignInProvider' }),
              ),
              hasPasskeys: Type.Boolean({
                description: 'Browsers keep passkeys for names, not for numbers.',
              }),
              hasMail: Type.Boolean({ description: 'A link for a new password can be mailed.' }),
            },
            { title: 'WaysIn' },
          ),
          ...adminErrors,
        },
      },
    },
    (request, reply) => {
      const origin = signIn.originAt(request.headers.host);
      return sendJson(reply, {
        refused: origin === null ? noPublicOrigin : null,
        providers: signIn.providers.map(({ id, name }) => ({ id, name })),
        hasPasskeys: origin !== null && /[a-z]/i.test(new URL(origin).hostname.replace(/^\[.*/, '')),
        hasMail: signIn.hasMail,
      });
    },
  );
  passwordRoutes(app, signIn);
  passkeySignInRoutes(app, signIn);
  providerRoutes(app, signIn);
  invitationRoutes(app, signIn);
  resetRoutes(app, signIn);
}
