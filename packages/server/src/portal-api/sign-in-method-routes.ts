import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { nullable, time } from '../platform/http/schemas/fields.ts';
import { text } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import { Refusal } from '../platform/refusal.ts';
import { confirmationMinutes } from '../portal/confirmations.ts';
import type { Portal } from '../portal/create-portal.ts';
import { readFurtherEmails } from '../portal/emails/own-emails.ts';
import { sessionOf } from '../portal/require-portal.ts';
import { type ChangingSession, requestAddition } from '../portal/sign-in-methods/confirm-addition.ts';
import { listSignInMethods, type SignInMethod } from '../portal/sign-in-methods/list-sign-in-methods.ts';
import { removeSignInMethod, requestSignInRemoval } from '../portal/sign-in-methods/remove-sign-in-method.ts';
import { signInConfirmationMail, signInNoticeMail } from '../portal/sign-in-methods/sign-in-mails.ts';
import { sourceOf } from './browser-of.ts';
import { portalOperations } from './portal-operations.ts';

export const confirmationCode = text(64, 'Code from the email. Letter case and the dash do not matter.');

const kind = text(30, "`passkey`, or the provider's id from the list of providers.");
const signInMethod = Type.Object(
  {
    signInMethodId: Type.String(),
    kind,
    provider: nullable(
      Type.String({
        description: "Provider's name on buttons; null for a passkey, and if the provider is off.",
      }),
    ),
    name: nullable(
      Type.String({ description: 'Name that the provider shows, or that the person gave to a passkey.' }),
    ),
    addedAt: time('When it was added.'),
    lastUsedAt: nullable(time('When a person last signed in with it.')),
  },
  { title: 'SignInMethod' },
);
const methodPath = {
  signInMethodId: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the sign-in method.' }),
};
const requested = Type.Object(
  { email: Type.String({ description: 'Address that the code was sent to.' }) },
  { title: 'RequestedSignInCode' },
);

/** Registers the operations on a person's sign-in methods. Each change needs an emailed code of its own. */
export function signInMethodRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Sign-in');
  const { db, limits } = portal;
  operation(
    ['get', '/sign-in-methods', 'listSignInMethods'],
    {
      of: 'signed-in',
      summary: 'List the provider accounts and passkeys of the signed-in person',
      description: 'At most 20. Emailed codes always work, and are not in the list.',
      answer: Type.Object({ rows: Type.Array(signInMethod) }, { title: 'SignInMethods' }),
    },
    async (request) => {
      const rows = await listSignInMethods(db, sessionOf(request).userId);
      return { rows: rows.map((row) => ({ ...row, provider: providerName(portal, row) })) };
    },
  );

  operation(
    ['post', '/sign-in-methods/codes', 'requestSignInMethodCode'],
    {
      of: 'signed-in',
      summary: 'Request the emailed code that adds a sign-in method',
      description: `The code expires after ${confirmationMinutes} minutes. It works once, in this session, and only for this kind.`,
      body: Type.Object({ kind }, closed),
      answer: requested,
    },
    async (request) => {
      const { kind: adds } = request.body;
      if (adds !== 'passkey' && !portal.providers.some(({ id }) => id === adds))
        throw new Refusal(
          'InvalidInput',
          "Creators can't sign in with this provider. Reload the page to see which ones are available.",
          { path: ['kind'] },
        );
      const session = await changingSession(portal, request);
      limits.countConfirmation(session.userId);
      const code = await requestAddition(db, session, adds);
      const what = adds === 'passkey' ? 'a passkey' : `an account at ${nameOf(portal, adds)}`;
      return sendCode(portal, request, `add ${what} to your sign-in methods`, code);
    },
  );

  operation(
    ['post', '/sign-in-methods/:signInMethodId/codes', 'requestSignInRemovalCode'],
    {
      of: 'signed-in',
      summary: 'Request the emailed code that removes a sign-in method',
      description: 'Works like the code that adds one.',
      path: methodPath,
      body: Type.Object({}, closed),
      answer: requested,
    },
    async (request) => {
      const session = await changingSession(portal, request);
      limits.countConfirmation(session.userId);
      const { code, ...method } = await requestSignInRemoval(db, session, request.params.signInMethodId);
      return sendCode(portal, request, `remove ${described(portal, method)} from your sign-in methods`, code);
    },
  );

  operation(
    ['post', '/sign-in-methods/:signInMethodId/remove', 'removeSignInMethod'],
    {
      of: 'signed-in',
      summary: 'Remove a sign-in method with an emailed code',
      description: 'Ends all other sessions that were started with it.',
      path: methodPath,
      body: Type.Object({ code: confirmationCode }, closed),
      answer: Type.Object({}, { title: 'RemovedSignInMethod' }),
    },
    async (request) => {
      limits.countAttempt(request.ip);
      const session = await changingSession(portal, request);
      const { signInMethodId } = request.params;
      const removal = { signInMethodId, code: request.body.code, source: sourceOf(request) };
      const method = await removeSignInMethod(db, session, removal);
      tellOfChange(
        portal,
        sessionOf(request),
        `You can no longer sign in with ${described(portal, method)}.`,
      );
      return {};
    },
  );
}

/** Returns the session of a request that changes the person's sign-in methods. */
export async function changingSession(portal: Portal, request: FastifyRequest): Promise<ChangingSession> {
  const { userId, sessionId } = sessionOf(request);
  return { userId, sessionId, secret: await portal.readSecret(), now: portal.clock.now() };
}

/** Emails all addresses of a person that a sign-in method was changed. Not awaited, because the mail server may take seconds. */
export function tellOfChange(
  portal: Portal,
  person: { userId: string; email: string },
  change: string,
): void {
  void readFurtherEmails(portal.db, person.userId)
    .then(async (further) => {
      for (const to of [person.email, ...further.map(({ email }) => email)])
        await portal.sendMail(signInNoticeMail(to, portal.url ?? '', change));
    })
    .catch((error: unknown) => portal.log.error({ err: error }, "couldn't send a notice"));
}

function sendCode(portal: Portal, request: FastifyRequest, change: string, code: string): { email: string } {
  const { email } = sessionOf(request);
  void portal
    .sendMail(signInConfirmationMail(email, change, code))
    .catch((error: unknown) => portal.log.error({ err: error }, "couldn't send a code"));
  return { email };
}

const nameOf = ({ providers }: Portal, id: string): string =>
  providers.find((each) => each.id === id)?.name ?? id;

const providerName = ({ providers }: Portal, { kind }: Pick<SignInMethod, 'kind'>): string | null =>
  providers.find(({ id }) => id === kind)?.name ?? null;

function described(portal: Portal, { kind, name }: Pick<SignInMethod, 'kind' | 'name'>): string {
  if (kind === 'passkey') return `the passkey ${name ?? ''}`.trim();
  return `${name === null ? 'an account' : `the account ${name}`} at ${nameOf(portal, kind)}`;
}
