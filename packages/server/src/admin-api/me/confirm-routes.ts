import { Type } from 'typebox';
import { confirmSession, requirePassword } from '../../accounts/people/confirm.ts';
import { signInMethodsOf } from '../../accounts/people/sign-in-methods-of.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { verifyCode } from '../../accounts/sign-in/verify-code.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { adminOperations } from '../admin-operations.ts';
import { callerOf } from '../sign-in/answer-browser.ts';
import { checkCredential, personOf } from './person.ts';

const confirmed = Type.Object({}, { title: 'ConfirmedSignIn' });

/**
 * Registers the routes that confirm an earlier sign-in with a password or code. People with a passkey sign in
 * again.
 */
export function confirmRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  const { db, clock, limits } = signIn;
  operation(
    ['post', '/me/confirm-password', 'confirmWithPassword'],
    {
      may: 'signed-in',
      people: true,
      summary: 'Confirm the sign-in with the password',
      body: Type.Object({ password: text(1_000) }, closed),
      answer: confirmed,
    },
    async (request) => {
      const { userId, sessionId } = personOf(request);
      await limits.attempting({ address: request.ip, account: userId }, () =>
        requirePassword(db, userId, request.body.password),
      );
      await confirmSession(db, sessionId, clock.now(), 'password');
      return {};
    },
  );

  operation(
    ['post', '/me/confirm-code', 'confirmWithCode'],
    {
      may: 'signed-in',
      people: true,
      summary: 'Confirm the sign-in with a second-factor code',
      body: Type.Object({ code: text(64) }, closed),
      answer: confirmed,
    },
    async (request) => {
      const { userId, sessionId } = personOf(request);
      const caller = callerOf(signIn, request);
      // The first code for a new second factor is sent to another operation, which writes an audit entry.
      if (!(await signInMethodsOf(db, userId)).codes)
        throw new Refusal('Conflict', 'No second factor is set up. Confirm with your password.');
      await checkCredential(() =>
        limits.attempting({ address: request.ip, account: userId }, () =>
          verifyCode(signIn, caller, request.body.code),
        ),
      );
      await confirmSession(db, sessionId, clock.now(), 'second factor');
      return {};
    },
  );
}
