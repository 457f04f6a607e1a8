import { Type } from 'typebox';
import { confirmSession } from '../../accounts/people/confirm.ts';
import { listPasskeys } from '../../accounts/people/list-passkeys.ts';
import { recordForPerson } from '../../accounts/people/record-for-person.ts';
import { removePasskey } from '../../accounts/people/remove-passkey.ts';
import { requireSecondFactor } from '../../accounts/people/require-second-factor.ts';
import { callInTransaction } from '../../accounts/sign-in/call-in-transaction.ts';
import { callLibrary } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import type { App } from '../../platform/http/app-type.ts';
import { visible } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, time } from '../schemas.ts';
import { callerOf, forwardCookies, sourceOf } from '../sign-in/answer-browser.ts';
import { webAuthn } from '../sign-in/passkey-routes.ts';
import { checkCredential, personOf } from './person.ts';

const passkey = Type.Object(
  { passkeyId: Type.String(), name: nullable(Type.String()), createdAt: time('When it was registered.') },
  { title: 'Passkey' },
);

/** Maximum number of passkeys per person, enough for all of their devices. */
const maxPasskeys = 20;

/** Registers the routes for the signed-in person's passkeys. */
export function passkeyRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  const { db } = signIn;
  operation(
    ['get', '/me/passkeys', 'listPasskeys'],
    {
      may: 'signed-in',
      people: true,
      summary: 'List the passkeys of the signed-in person',
      answer: Type.Object({ rows: Type.Array(passkey) }, { title: 'Passkeys' }),
    },
    async (request) => ({ rows: await listPasskeys(db, personOf(request).userId) }),
  );

  operation(
    ['post', '/me/passkeys/options', 'beginPasskey'],
    {
      may: 'signed-in',
      fresh: true,
      people: true,
      bodyIsOptional: true,
      summary: 'Get the options for registering a passkey',
      answer: webAuthn('Options for navigator.credentials.create.', 'NewPasskeyQuestion'),
    },
    async (request, reply) => {
      const person = personOf(request);
      await requireSecondFactor(db, person);
      if ((await listPasskeys(db, person.userId)).length >= maxPasskeys)
        throw new Refusal('Conflict', `You have ${maxPasskeys} passkeys already. Remove one first.`);
      const caller = callerOf(signIn, request);
      const answer = await callLibrary(await signIn.auth(caller.origin), caller, {
        method: 'GET',
        path: '/passkey/generate-register-options',
      });
      forwardCookies(reply, answer);
      return answer.body;
    },
  );

  operation(
    ['post', '/me/passkeys', 'addPasskey'],
    {
      may: 'signed-in',
      fresh: true,
      people: true,
      summary: 'Register a passkey',
      body: Type.Object(
        {
          name: Type.String({
            maxLength: 100,
            pattern: visible,
            description: 'Name that distinguishes it from other passkeys.',
          }),
          response: webAuthn('Response of navigator.credentials.create.', 'NewPasskeyAnswer'),
        },
        closed,
      ),
      answer: Type.Object({}, { title: 'AddedPasskey' }),
    },
    async (request, reply) => {
      const person = personOf(request);
      const caller = callerOf(signIn, request);
      await requireSecondFactor(db, person);
      const registration = {
        method: 'POST',
        path: '/passkey/verify-registration',
        body: request.body,
      } as const;
      const answer = await checkCredential(() =>
        callInTransaction(signIn, caller, registration, async (tx) => {
          await recordForPerson(tx, person, sourceOf(request), { action: 'staff.add-passkey' });
          // Registering a passkey verifies the person just as signing in with it does.
          await confirmSession(tx, person.sessionId, signIn.clock.now(), 'second factor');
        }),
      );
      forwardCookies(reply, answer);
      return {};
    },
  );

  operation(
    ['delete', '/me/passkeys/:passkeyId', 'removePasskey'],
    {
      may: 'signed-in',
      fresh: true,
      people: true,
      summary: 'Remove a passkey',
      path: { passkeyId: Type.String({ maxLength: 64 }) },
      answer: Type.Object({}, { title: 'RemovedPasskey' }),
    },
    async (request) => {
      const person = personOf(request);
      await requireSecondFactor(db, person);
      await removePasskey(db, person, request.params.passkeyId, sourceOf(request));
      return {};
    },
  );
}
