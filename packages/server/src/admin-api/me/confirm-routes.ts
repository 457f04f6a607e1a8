import { Type } from 'typebox';
import { confirmWithCode } from '../../accounts/me/confirm-with-code.ts';
import { confirmWithPassword } from '../../accounts/me/confirm-with-password.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { selfOf } from './self-of.ts';

const confirmed = Type.Object({}, { title: 'ConfirmedSignIn' });

/**
 * Registers the routes that ask for a password or code to confirm an earlier sign-in. People who have a
 * passkey sign in again with the passkey instead.
 */
export function confirmRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
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
      await confirmWithPassword(signIn, selfOf(signIn, request), request.body.password);
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
      await confirmWithCode(signIn, selfOf(signIn, request), request.body.code);
      return {};
    },
  );
}
