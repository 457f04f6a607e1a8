import { Type } from 'typebox';
import { callLibrary } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { adminErrors } from '../schemas.ts';
import { callerOf, giveCookies } from './answer-browser.ts';
import { welcome } from './welcome.ts';

/** What browsers and passkeys say to each other (WebAuthn), as it is. */
export const webAuthn = (description: string, title: string) =>
  Type.Object({}, { additionalProperties: true, description, title });

/** Signing in with a passkey; also how one shows again that it is them. */
export function passkeySignInRoutes(app: App, signIn: SignIn): void {
  app.post(
    '/auth/sign-in/passkey/options',
    {
      config: { staff: 'public', bodyIsOptional: true },
      schema: {
        operationId: 'beginPasskeySignIn',
        summary: 'What the browser asks a passkey',
        tags: ['Sign-in'],
        response: {
          200: webAuthn('For navigator.credentials.get.', 'PasskeyQuestion'),
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
      giveCookies(reply, answer);
      // A passkey that does not ask who holds it would be one factor; it is refused when it comes back, too.
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
        body: Type.Object({ response: webAuthn('What the passkey answered.', 'PasskeyAnswer') }, closed),
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
      await welcome(signIn, request, reply, answer);
      return sendJson(reply, {});
    },
  );
}
