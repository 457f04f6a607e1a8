import { Type } from 'typebox';
import { confirmSession } from '../../accounts/people/confirm.ts';
import { recordForPerson } from '../../accounts/people/record-for-person.ts';
import { removePasskey } from '../../accounts/people/remove-passkey.ts';
import { requireSecondFactor } from '../../accounts/people/require-second-factor.ts';
import { callInTransaction } from '../../accounts/sign-in/call-in-transaction.ts';
import { callLibrary } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { visible } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { adminErrors, nullable, time } from '../schemas.ts';
import { callerOf, forwardCookies, sourceOf } from '../sign-in/answer-browser.ts';
import { webAuthn } from '../sign-in/passkey-routes.ts';
import { checkCredential, personOf } from './person.ts';

const passkey = Type.Object(
  { passkeyId: Type.String(), name: nullable(Type.String()), createdAt: time('When it was registered.') },
  { title: 'Passkey' },
);

/** Largest number of passkeys per person, enough for all of their devices. */
const maxPasskeys = 20;

/** Registers the routes of the signed-in person's passkeys. */
export function passkeyRoutes(app: App, signIn: SignIn): void {
  const { db } = signIn;
  const passkeysOf = (userId: string) =>
    db
      .selectFrom('staff_passkey')
      .select(['id', 'name', 'created_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute();
  app.get(
    '/me/passkeys',
    {
      config: { staff: 'signed-in' },
      schema: {
        operationId: 'listPasskeys',
        summary: 'List the passkeys of the signed-in person',
        tags: ['Sign-in'],
        response: { 200: Type.Object({ rows: Type.Array(passkey) }, { title: 'Passkeys' }), ...adminErrors },
      },
    },
    async (request, reply) => {
      const rows = await passkeysOf(personOf(request).userId);
      return sendJson(reply, {
        rows: rows.map(({ id, name, created_at }) => ({ passkeyId: id, name, createdAt: created_at })),
      });
    },
  );

  app.post(
    '/me/passkeys/options',
    {
      config: { staff: 'signed-in', fresh: true, people: true, bodyIsOptional: true },
      schema: {
        operationId: 'beginPasskey',
        summary: 'Get the options for registering a passkey',
        tags: ['Sign-in'],
        response: {
          200: webAuthn('Options for navigator.credentials.create.', 'NewPasskeyQuestion'),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      await requireSecondFactor(db, person);
      if ((await passkeysOf(person.userId)).length >= maxPasskeys)
        throw new Refusal('Conflict', `You have ${maxPasskeys} passkeys already. Remove one first.`);
      const caller = callerOf(signIn, request);
      const answer = await callLibrary(await signIn.auth(caller.origin), caller, {
        method: 'GET',
        path: '/passkey/generate-register-options',
      });
      forwardCookies(reply, answer);
      return sendJson(reply, answer.body);
    },
  );

  app.post(
    '/me/passkeys',
    {
      config: { staff: 'signed-in', fresh: true, people: true },
      schema: {
        operationId: 'addPasskey',
        summary: 'Register a passkey',
        tags: ['Sign-in'],
        body: Type.Object(
          {
            name: Type.String({
              maxLength: 100,
              pattern: visible,
              description: 'Name that tells it apart from other passkeys.',
            }),
            response: webAuthn('Response of navigator.credentials.create.', 'NewPasskeyAnswer'),
          },
          closed,
        ),
        response: { 200: Type.Object({}, { title: 'AddedPasskey' }), ...adminErrors },
      },
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
          // Registering it verified the person, as a sign-in with it would.
          await confirmSession(tx, person.sessionId, signIn.clock.now(), 'second factor');
        }),
      );
      forwardCookies(reply, answer);
      return sendJson(reply, {});
    },
  );

  app.delete(
    '/me/passkeys/:passkeyId',
    {
      config: { staff: 'signed-in', fresh: true, people: true },
      schema: {
        operationId: 'removePasskey',
        summary: 'Remove a passkey',
        tags: ['Sign-in'],
        params: Type.Object({ passkeyId: Type.String({ maxLength: 64 }) }),
        response: { 200: Type.Object({}, { title: 'RemovedPasskey' }), ...adminErrors },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      await requireSecondFactor(db, person);
      await removePasskey(db, person, request.params.passkeyId, sourceOf(request));
      return sendJson(reply, {});
    },
  );
}
