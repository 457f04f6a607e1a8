import { Type } from 'typebox';
import { callLibrary } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import type { App } from '../../platform/http/app-type.ts';
import { webAuthn } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { callerOf, forwardCookies } from './answer-browser.ts';
import { startSession } from './start-session.ts';

/**
 * Registers the routes for signing in with a passkey. The same routes confirm the sign-in of a person who is
 * already signed in.
 */
export function passkeySignInRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  operation(
    ['post', '/auth/sign-in/passkey/options', 'beginPasskeySignIn'],
    {
      may: 'public',
      bodyIsOptional: true,
      summary: 'Get the options for signing in with a passkey',
      answer: webAuthn('Options for navigator.credentials.get.', 'PasskeyQuestion'),
    },
    async (request, reply) => {
      const caller = callerOf(signIn, request);
      signIn.limits.countAddress(caller.address);
      const answer = await callLibrary<object>(await signIn.auth(caller.origin), caller, {
        method: 'GET',
        path: '/passkey/generate-authenticate-options',
      });
      forwardCookies(reply, answer);
      // Without user verification, a passkey would be a single factor. A response without user verification
      // is rejected too.
      return { ...answer.body, userVerification: 'required' };
    },
  );

  operation(
    ['post', '/auth/sign-in/passkey', 'signInWithPasskey'],
    {
      may: 'public',
      summary: 'Sign in with a passkey',
      body: Type.Object({ response: webAuthn('Response from the passkey.', 'PasskeyAnswer') }, closed),
      answer: Type.Object({}, { title: 'SignedInWithPasskey' }),
    },
    async (request, reply) => {
      const caller = callerOf(signIn, request);
      signIn.limits.countAddress(caller.address);
      const answer = await callLibrary(await signIn.auth(caller.origin), caller, {
        method: 'POST',
        path: '/passkey/verify-authentication',
        body: request.body,
      });
      await startSession(signIn, request, reply, answer);
      return {};
    },
  );
}
