import { Type } from 'typebox';
import { callLibrary } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { adminErrors } from '../schemas.ts';
import { callerOf, forwardCookies } from './answer-browser.ts';
import { startSession } from './start-session.ts';

/** Returns the schema of a WebAuthn message, which is passed through unchanged. */
export const webAuthn = (description: string, title: string) =>
  Type.Object({}, { additionalProperties: true, description, title });

/** Registers the routes that sign in with a passkey. A signed-in person confirms with them too. */
export function passkeySignInRoutes(app: App, signIn: SignIn): void {
  app.post(
    '/auth/sign-in/passkey/options',
    {
      config: { staff: 'public', bodyIsOptional: true },
      schema: {
        operationId: 'beginPasskeySignIn',
        summary: 'Get the options for signing in with a passkey',
        tags: ['Sign-in'],
        response: {
          200: webAuthn('Options for navigator.credentials.get.', 'PasskeyQuestion'),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const caller = callerOf(signIn, request);
      signIn.limits.countAddress(caller.address);
      const answer = await callLibrary<object>(await signIn.auth(caller.origin), caller, {
        method: 'GET',
        path: '/passkey/generate-authenticate-options',
      });
      forwardCookies(reply, answer);
      // Without user verification a passkey would be a single factor. A response without it is rejected too.
      return sendJson(reply, { ...answer.body, userVerification: 'required' });
    },
  );

  app.post(
    '/auth/sign-in/passkey',
    {
      config: { staff: 'public' },
      schema: {
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        tags: ['Sign-in'],
        body: Type.Object({ response: webAuthn('Response of the passkey.', 'PasskeyAnswer') }, closed),
        response: { 200: Type.Object({}, { title: 'SignedInWithPasskey' }), ...adminErrors },
      },
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
      return sendJson(reply, {});
    },
  );
}
