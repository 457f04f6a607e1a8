import { Type } from 'typebox';
import { addPasskey } from '../../accounts/me/add-passkey.ts';
import { beginPasskey } from '../../accounts/me/begin-passkey.ts';
import { listPasskeys } from '../../accounts/me/list-passkeys.ts';
import { removePasskey } from '../../accounts/me/remove-passkey.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import type { App } from '../../platform/http/app-type.ts';
import { visible, webAuthn } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, time } from '../schemas.ts';
import { forwardCookies } from '../sign-in/answer-browser.ts';
import { selfOf } from './self-of.ts';

const passkey = Type.Object(
  {
    passkeyId: Type.String(),
    name: nullable(Type.String()),
    createdAt: time('When the passkey was registered.'),
  },
  { title: 'Passkey' },
);

export function passkeyRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  operation(
    ['get', '/me/passkeys', 'listPasskeys'],
    {
      may: 'signed-in',
      people: true,
      summary: 'List the passkeys of the signed-in person',
      answer: Type.Object({ rows: Type.Array(passkey) }, { title: 'Passkeys' }),
    },
    async (request) => ({ rows: await listPasskeys(signIn.db, selfOf(signIn, request).userId) }),
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
      const options = await beginPasskey(signIn, selfOf(signIn, request));
      forwardCookies(reply, options);
      return options.body;
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
            description: 'Name that distinguishes the passkey from other passkeys.',
          }),
          response: webAuthn('Response from navigator.credentials.create.', 'NewPasskeyAnswer'),
        },
        closed,
      ),
      answer: Type.Object({}, { title: 'AddedPasskey' }),
    },
    async (request, reply) => {
      forwardCookies(reply, await addPasskey(signIn, selfOf(signIn, request), request.body));
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
      await removePasskey(signIn.db, selfOf(signIn, request), request.params.passkeyId);
      return {};
    },
  );
}
