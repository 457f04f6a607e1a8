import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { destinationFields, methodKind } from '../payees/destination-input.ts';
import { methodStates } from '../payees/read-methods.ts';
import type { App } from '../platform/http/app-type.ts';
import { nullable, oneOf, time } from '../platform/http/schemas/fields.ts';
import { closed } from '../platform/inputs.ts';
import { confirmationMinutes } from '../portal/confirmations.ts';
import type { Portal } from '../portal/create-portal.ts';
import { readOwnMethods } from '../portal/methods/read-own-methods.ts';
import { removeMethod, requestRemoval } from '../portal/methods/remove-method.ts';
import { type ChangingPerson, requestSaving, saveMethod } from '../portal/methods/save-method.ts';
import { confirmationMail } from '../portal/portal-mails.ts';
import { accountsOf, sessionOf } from '../portal/require-portal.ts';
import { mailBrand } from '../publishers/brand/mail-brand.ts';
import { sourceOf } from './browser-of.ts';
import { idsOf } from './membership-fields.ts';
import { portalOperations } from './portal-operations.ts';
import { requestedCode, typedCode } from './schemas.ts';

const payoutMethod = Type.Object(
  {
    methodId: Type.String(),
    accountName: Type.String({ description: 'Name of the creator account that is paid with it.' }),
    kind: methodKind,
    hint: Type.String({ description: 'Part of the address or account, such as `DE… 4821`.' }),
    state: oneOf(methodStates, {
      title: 'PayoutMethodState',
      description:
        'Waiting: the publisher checks it first. New: payouts use it from `usableFrom` on. Usable: payouts use it. Ended: payouts don’t use it.',
    }),
    isOwn: Type.Boolean({ description: 'True if the creator entered it, and false if the publisher did.' }),
    enteredAt: time('When the method was entered.'),
    usableFrom: nullable(time('When payouts begin to use it; null while the publisher checks it.')),
    endedAt: nullable(time('When it ended.')),
    isEndedByOwner: nullable(
      Type.Boolean({ description: 'True if the creator ended it, and false if the publisher did.' }),
    ),
  },
  { title: 'PayoutMethod', description: 'Payout method, without the name, address or account.' },
);

const methodPath = {
  methodId: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the payout method.' }),
};
const changed = Type.Object({}, { title: 'ChangedPayoutMethod' });

/** Registers the operations on the creator's own payout methods. Each change needs an emailed code of its own. */
export function methodRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Payout methods');
  const { db, limits } = portal;
  operation(
    ['get', '/payout-methods', 'listPayoutMethods'],
    {
      of: 'publisher',
      summary: 'List the creator’s payout methods at a publisher',
      description: 'For an account without one, contains the method that ended last.',
      answer: Type.Object(
        {
          methods: Type.Array(payoutMethod),
          waitDays: Type.Integer({
            description: 'Days between a change and the first payout to the new method.',
          }),
          isNeeded: Type.Boolean({
            description: 'True if payouts pay nothing to creators without a method.',
          }),
          isUnderReview: Type.Boolean({
            description: 'True while the publisher keeps payouts back because it checks the account.',
          }),
        },
        { title: 'PayoutMethods' },
      ),
    },
    (request) => readOwnMethods(db, request.query.publisher, accountsOf(request)),
  );

  operation(
    ['post', '/payout-methods/codes', 'requestPayoutMethodCode'],
    {
      of: 'publisher',
      summary: 'Check a payout method, and request the emailed code that saves it',
      description: `The code expires after ${confirmationMinutes} minutes. It works once, in this session, and only for exactly this method.`,
      body: Type.Object(destinationFields, { ...closed, title: 'NewPayoutMethod' }),
      answer: requestedCode,
    },
    async (request) => {
      const person = await personOf(portal, request);
      limits.countConfirmation(person.userId);
      const asked = await requestSaving(db, person, idsOf(accountsOf(request)), request.body);
      return sendCode(portal, request, { ...asked, change: 'entered' });
    },
  );

  operation(
    ['post', '/payout-methods', 'savePayoutMethod'],
    {
      of: 'publisher',
      summary: 'Save a payout method with an emailed code',
      description:
        'Replaces the current method for the same purpose at once: a bank account for euros, or a method for any currency. Payouts use the new one after the publisher’s waiting period, and pay to neither until then. If another creator has the same address or account, the publisher checks it first. All of the person’s addresses are told.',
      body: Type.Object(
        { ...destinationFields, code: typedCode },
        { ...closed, title: 'ConfirmedPayoutMethod' },
      ),
      answer: changed,
    },
    async (request) => {
      limits.countAttempt(request.ip);
      const { code, ...typed } = request.body;
      await saveMethod(db, await personOf(portal, request), { typed, code, source: sourceOf(request) });
      return {};
    },
  );

  operation(
    ['post', '/payout-methods/:methodId/codes', 'requestRemovalCode'],
    {
      of: 'publisher',
      summary: 'Request the emailed code that removes a payout method',
      description: 'Works like the code that saves one.',
      path: methodPath,
      answer: requestedCode,
    },
    async (request) => {
      const person = await personOf(portal, request);
      const { methodId } = request.params;
      limits.countConfirmation(person.userId);
      const asked = await requestRemoval(db, person, idsOf(accountsOf(request)), methodId);
      return sendCode(portal, request, { ...asked, change: 'removed' });
    },
  );

  operation(
    ['post', '/payout-methods/:methodId/remove', 'removePayoutMethod'],
    {
      of: 'publisher',
      summary: 'Remove a payout method with an emailed code',
      description: 'Existing payouts keep it. All of the person’s addresses are told.',
      path: methodPath,
      body: Type.Object({ code: typedCode }, { ...closed, title: 'ConfirmedRemoval' }),
      answer: changed,
    },
    async (request) => {
      limits.countAttempt(request.ip);
      const { methodId } = request.params;
      const removal = { methodId, code: request.body.code, source: sourceOf(request) };
      await removeMethod(db, await personOf(portal, request), idsOf(accountsOf(request)), removal);
      return {};
    },
  );
}

async function personOf(portal: Portal, request: FastifyRequest): Promise<ChangingPerson> {
  const { userId, sessionId } = sessionOf(request);
  const { publisher: publisherId } = request.query as { publisher: string };
  return {
    ...{ publisherId, userId, sessionId },
    secret: await portal.readSecret(),
    methods: { sealer: portal.sealer, fingerprints: await portal.readFingerprints() },
    now: portal.clock.now(),
  };
}

interface AskedCode
  extends Pick<Parameters<typeof confirmationMail>[0], 'change' | 'kind' | 'hint' | 'code'> {}

/** Emails a code to the person's verified address. */
async function sendCode(
  portal: Portal,
  request: FastifyRequest,
  asked: AskedCode,
): Promise<{ email: string }> {
  const { email } = sessionOf(request);
  const { publisher: publisherId } = request.query as { publisher: string };
  const brand = await mailBrand(portal.db, publisherId, portal.publicUrl);
  // Not awaited: the mail server may take seconds.
  void portal
    .sendMail(confirmationMail({ to: email, brand, ...asked }))
    .catch((error: unknown) => portal.log.error({ err: error }, "couldn't send a code"));
  portal.deleteExpired();
  return { email };
}
