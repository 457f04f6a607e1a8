import { Type } from 'typebox';
import { beginTwoFactor } from '../../accounts/me/begin-two-factor.ts';
import { finishTwoFactor } from '../../accounts/me/finish-two-factor.ts';
import { removeTwoFactor } from '../../accounts/me/remove-two-factor.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { forwardCookies } from '../sign-in/answer-browser.ts';
import { selfOf } from './self-of.ts';

const password = text(1_000, 'Password; absent for a person without a password.');

export function twoFactorRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  operation(
    ['post', '/me/two-factor', 'beginTwoFactor'],
    {
      may: 'signed-in',
      fresh: true,
      people: true,
      summary: 'Start setting up a second factor, which becomes active with its first code',
      body: Type.Object({ password: Type.Optional(password) }, closed),
      answer: Type.Object(
        {
          uri: Type.String({ description: 'otpauth://… for the authenticator app; shown only once.' }),
          spareCodes: Type.Array(Type.String(), {
            description: 'Recovery codes, each of which works once. The recovery codes are shown only once.',
          }),
        },
        { title: 'NewTwoFactor' },
      ),
    },
    (request) => beginTwoFactor(signIn, selfOf(signIn, request), request.body.password),
  );

  operation(
    ['post', '/me/two-factor/finish', 'finishTwoFactor'],
    {
      may: 'signed-in',
      fresh: true,
      people: true,
      summary: 'Finish setting up a second factor with its first code',
      body: Type.Object({ code: Type.String({ pattern: '^[0-9 ]{6,8}$' }) }, closed),
      answer: Type.Object({}, { title: 'FinishedTwoFactor' }),
    },
    async (request, reply) => {
      forwardCookies(reply, await finishTwoFactor(signIn, selfOf(signIn, request), request.body.code));
      return {};
    },
  );

  operation(
    ['post', '/me/two-factor/remove', 'removeTwoFactor'],
    {
      may: 'signed-in',
      fresh: true,
      people: true,
      summary: 'Remove the second factor',
      body: Type.Object({ password: Type.Optional(password) }, closed),
      answer: Type.Object({}, { title: 'RemovedTwoFactor' }),
    },
    async (request, reply) => {
      forwardCookies(reply, await removeTwoFactor(signIn, selfOf(signIn, request), request.body.password));
      return {};
    },
  );
}
