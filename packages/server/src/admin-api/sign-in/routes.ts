import { Type } from 'typebox';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { noPublicOrigin } from '../../accounts/sign-in/public-origin.ts';
import type { App } from '../../platform/http/app-type.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable } from '../schemas.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { passkeySignInRoutes } from './passkey-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { resetRoutes } from './reset-routes.ts';

export function signInRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  operation(
    ['get', '/auth/ways', 'listSignInMethods'],
    {
      may: 'public',
      summary: 'List the ways to sign in',
      answer: Type.Object(
        {
          refused: nullable(
            Type.String({
              description: "Reason people can't sign in at this address; null if they can.",
            }),
          ),
          providers: Type.Array(
            Type.Object({ id: Type.String(), name: Type.String() }, { title: 'SignInProvider' }),
          ),
          hasPasskeys: Type.Boolean({
            description:
              'True if the address is a host name. Browsers do not support passkeys for IP addresses.',
          }),
          hasMail: Type.Boolean({
            description: 'True if the service can email links for setting a new password.',
          }),
        },
        { title: 'SignInMethods' },
      ),
    },
    (request) => {
      const origin = signIn.originAt(request.headers.host);
      return {
        refused: origin === null ? noPublicOrigin : null,
        providers: signIn.providers.map(({ id, name }) => ({ id, name })),
        hasPasskeys: origin !== null && /[a-z]/i.test(new URL(origin).hostname.replace(/^\[.*/, '')),
        hasMail: signIn.hasMail,
      };
    },
  );
  passwordRoutes(app, signIn);
  passkeySignInRoutes(app, signIn);
  providerRoutes(app, signIn);
  invitationRoutes(app, signIn);
  resetRoutes(app, signIn);
}
