import { Type } from 'typebox';
import { recordForPerson } from '../../accounts/people/record-for-person.ts';
import { requireSecondFactor } from '../../accounts/people/require-second-factor.ts';
import { signInMethodsOf } from '../../accounts/people/sign-in-methods-of.ts';
import { callInTransaction } from '../../accounts/sign-in/call-in-transaction.ts';
import { callLibrary } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { verifyCode } from '../../accounts/sign-in/verify-code.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { adminOperations } from '../admin-operations.ts';
import { callerOf, forwardCookies, sourceOf } from '../sign-in/answer-browser.ts';
import { checkCredential, personOf } from './person.ts';

const password = text(1_000, 'Password; absent for a person without a password.');

/** Registers the routes for an authenticator app as the signed-in person's second factor. */
export function twoFactorRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  const { db, limits } = signIn;
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
            description: 'Spare codes, each of which works once; shown only once.',
          }),
        },
        { title: 'NewTwoFactor' },
      ),
    },
    async (request) => {
      const person = personOf(request);
      const { userId } = person;
      await requireSecondFactor(db, person);
      const caller = callerOf(signIn, request);
      const auth = await signIn.auth(caller.origin);
      const { body } = await checkCredential(() =>
        limits.attempting({ address: request.ip, account: userId }, () =>
          callLibrary<{ totpURI: string; backupCodes: string[] }>(auth, caller, {
            method: 'POST',
            path: '/two-factor/enable',
            body: request.body,
          }),
        ),
      );
      return { uri: body.totpURI, spareCodes: body.backupCodes };
    },
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
      const person = personOf(request);
      const caller = callerOf(signIn, request);
      // The library ends this session and starts a new one.
      const answer = await checkCredential(() =>
        limits.attempting({ address: request.ip, account: person.userId }, () =>
          verifyCode(signIn, caller, request.body.code, (tx) =>
            recordForPerson(tx, person, sourceOf(request), { action: 'staff.set-up-two-factor' }),
          ),
        ),
      );
      forwardCookies(reply, answer);
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
      const person = personOf(request);
      if (!(await signInMethodsOf(db, person.userId)).codes)
        throw new Refusal('Conflict', 'No second factor is set up.');
      await requireSecondFactor(db, person);
      const caller = callerOf(signIn, request);
      const removal = { method: 'POST', path: '/two-factor/disable', body: request.body } as const;
      const answer = await checkCredential(() =>
        limits.attempting({ address: request.ip, account: person.userId }, () =>
          callInTransaction(signIn, caller, removal, (tx) =>
            recordForPerson(tx, person, sourceOf(request), { action: 'staff.remove-two-factor' }),
          ),
        ),
      );
      forwardCookies(reply, answer);
      return {};
    },
  );
}
