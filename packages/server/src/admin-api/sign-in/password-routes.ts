import { Type } from 'typebox';
import { callLibrary } from '../../accounts/sign-in/call-library.ts';
import { cookiePrefix } from '../../accounts/sign-in/cookie-names.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { withoutCookies } from '../../accounts/sign-in/read-cookies.ts';
import { verifyCode } from '../../accounts/sign-in/verify-code.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { callerOf, forwardCookies } from './answer-browser.ts';
import { isKnown, startSession } from './start-session.ts';

const signedIn = Type.Object(
  {
    asksForCode: Type.Boolean({
      description: 'True if a second-factor code is required to finish signing in.',
    }),
  },
  { title: 'SignInStep' },
);

export function passwordRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  operation(
    ['post', '/auth/sign-in/password', 'signInWithPassword'],
    {
      may: 'public',
      summary: 'Sign in with a password',
      body: Type.Object({ email: text(255), password: text(1_000) }, closed),
      answer: signedIn,
    },
    async (request, reply) => {
      const caller = callerOf(signIn, request);
      const { email, password } = request.body;
      const auth = await signIn.auth(caller.origin);
      const attempt = {
        address: caller.address,
        account: email,
        isKnown: await isKnown(signIn, request, email),
      };
      const answer = await signIn.limits.attempting(attempt, () =>
        callLibrary<{ twoFactorRedirect?: boolean } | null>(auth, caller, {
          method: 'POST',
          path: '/sign-in/email',
          body: { email: email.trim(), password },
        }),
      );
      const asksForCode = answer.body?.twoFactorRedirect === true;
      await startSession(signIn, request, reply, answer);
      return { asksForCode };
    },
  );

  operation(
    ['post', '/auth/sign-in/code', 'signInWithCode'],
    {
      may: 'public',
      summary: 'Finish signing in with a second-factor code or a recovery code',
      body: Type.Object({ code: text(64) }, closed),
      answer: signedIn,
    },
    async (request, reply) => {
      const caller = callerOf(signIn, request);
      signIn.limits.countAddress(caller.address);
      // Remove the session cookie: codes for an existing session go to /me/confirm-code, which counts
      // attempts.
      const sessionless = { ...caller, cookies: withoutCookies(caller.cookies, cookiePrefix(caller.origin)) };
      const answer = await verifyCode(signIn, sessionless, request.body.code);
      await startSession(signIn, request, reply, answer);
      return { asksForCode: false };
    },
  );

  operation(
    ['post', '/auth/sign-out', 'signOut'],
    {
      may: 'public',
      bodyIsOptional: true,
      summary: 'Sign out',
      answer: Type.Object({}, { title: 'SignedOut' }),
    },
    async (request, reply) => {
      const caller = callerOf(signIn, request);
      const signOut = { method: 'POST', path: '/sign-out', body: {} } as const;
      forwardCookies(reply, await callLibrary(await signIn.auth(caller.origin), caller, signOut));
      return {};
    },
  );
}
