import { Type } from 'typebox';
import { staffOf } from '../../accounts/require-staff.ts';
import type { Service } from '../../composition.ts';
import { requireCreator } from '../../members/read/require-creator.ts';
import { approveMethod } from '../../payees/approve-method.ts';
import type { Destination } from '../../payees/destination.ts';
import { endMethod, maxEndReason } from '../../payees/end-method.ts';
import { enterMethod } from '../../payees/enter-method.ts';
import { listMethods, readMethodsOf } from '../../payees/read-methods.ts';
import { revealMethod } from '../../payees/reveal-method.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { toAccountId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';
import { adminOperations } from '../admin-operations.ts';
import { memberPath } from '../members/member-schemas.ts';
import { pageOf, pageQuery } from '../schemas.ts';
import { destination, payeeMethod, typedDestination } from './payee-schemas.ts';

const methodPath = { methodId: Type.String({ minLength: 1, maxLength: 64 }) };
/** Maximum number of reveals per person in each process: the burst, and then the rate per hour. */
const reveals = 30;

export function methodRoutes(app: App, service: Service, { pages }: { pages: Pages }): void {
  listRoutes(app, service, pages);
  changeRoutes(app, service);
  revealRoute(app, service);
}

function listRoutes(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Payees');
  operation(
    ['get', '/publishers/:publisherId/payees', 'listPayeeMethods'],
    {
      may: 'read',
      summary: 'List payout methods that have not ended, newest first',
      query: {
        ...pageQuery,
        waiting: Type.Optional(
          Type.Boolean({ description: 'True to list only methods that are waiting for a second person.' }),
        ),
      },
      answer: pageOf(payeeMethod, 'PayeeMethodPage'),
    },
    ({ params: { publisherId }, query: { waiting: isWaiting = false, cursor = null, limit: size = 50 } }) =>
      listMethods(db, pages, { publisherId, isWaiting }, { cursor, size }),
  );
  operation(
    ['get', '/publishers/:publisherId/members/:memberId/payees', 'listPayeeMethodsOfMember'],
    {
      may: 'read',
      summary: "List a creator's payout methods, newest first, including ended ones",
      path: memberPath.properties,
      answer: Type.Object({ rows: Type.Array(payeeMethod) }, { title: 'PayeeMethodsOfMember' }),
    },
    async ({ params: { publisherId, memberId } }) => {
      const { accountId } = await requireCreator(db, { publisherId, memberId: toAccountId(memberId) });
      return { rows: await readMethodsOf(db, publisherId, accountId) };
    },
  );
}

function changeRoutes(app: App, { database: { db }, sealer }: Service): void {
  const { operation } = adminOperations(app, 'Payees');
  operation(
    ['post', '/publishers/:publisherId/members/:memberId/payees', 'enterPayeeMethod'],
    {
      may: 'payees',
      fresh: true,
      people: true,
      summary: 'Enter a payout method for a creator',
      description:
        'Another person must approve it. Nothing is transliterated: a bank account needs the name of its holder in Latin letters.',
      path: memberPath.properties,
      body: typedDestination,
      answer: payeeMethod,
    },
    ({ params, body, actor }) =>
      enterMethod(db, sealer, actor, {
        publisherId: params.publisherId,
        memberId: toAccountId(params.memberId),
        destination: body,
      }),
  );
  operation(
    ['post', '/publishers/:publisherId/payees/:methodId/approve', 'approvePayeeMethod'],
    {
      may: 'payees',
      fresh: true,
      people: true,
      summary: 'Approve a payout method that another person entered',
      description:
        "Ends the creator's current method at once. Payouts use the new one after the publisher's waiting period.",
      path: methodPath,
      body: Type.Object(
        {
          acceptsShared: Type.Boolean({
            description:
              'True to approve a method even if other creators have the same address or account. Otherwise, it is rejected with 409.',
          }),
        },
        { ...closed, title: 'PayeeMethodApproval' },
      ),
      answer: payeeMethod,
    },
    ({ params: { publisherId, methodId }, body: { acceptsShared }, actor }) =>
      approveMethod(db, actor, { publisherId, methodId, acceptsShared }),
  );
  operation(
    ['post', '/publishers/:publisherId/payees/:methodId/end', 'endPayeeMethod'],
    {
      may: 'payees',
      fresh: true,
      people: true,
      summary: 'End a payout method, or reject one that is waiting for approval',
      description: 'Existing payouts keep it.',
      path: methodPath,
      body: Type.Object(
        { reason: Type.String({ minLength: 1, maxLength: maxEndReason, pattern: storable }) },
        { ...closed, title: 'PayeeMethodEnd' },
      ),
      answer: payeeMethod,
    },
    ({ params: { publisherId, methodId }, body: { reason }, actor }) =>
      endMethod(db, actor, { publisherId, methodId, reason }),
  );
}

function revealRoute(app: App, { database: { db }, sealer, clock }: Service): void {
  const { operation } = adminOperations(app, 'Payees');
  const buckets = new TokenBuckets(reveals / 3_600, reveals);
  operation(
    ['post', '/publishers/:publisherId/payees/:methodId/reveal', 'revealPayeeMethod'],
    {
      may: 'payees',
      fresh: true,
      people: true,
      summary: 'Show the address or account of a payout method',
      description: `Each call is recorded in the audit log. A person can reveal about ${reveals} methods per hour.`,
      path: methodPath,
      answer: destination,
    },
    async (request, reply) => {
      const { publisherId, methodId } = request.params;
      const staff = staffOf(request);
      const person = staff.kind === 'staff' ? staff.staffId : staff.tokenId;
      if (!buckets.take(person, clock.now().getTime()))
        throw new Refusal(
          'RateLimited',
          'You have revealed many payout methods. Try again in a few minutes.',
          {
            retryAfterSeconds: 3_600 / reveals,
          },
        );
      reply.header('cache-control', 'no-store');
      return toWire(await revealMethod(db, sealer, request.actor, { publisherId, methodId }));
    },
  );
}

const toWire = (opened: Destination) => ({
  kind: opened.kind,
  holderName: opened.holderName,
  holderType: opened.holderType,
  country: opened.country,
  email: opened.kind === 'sepa' ? null : opened.email,
  iban: opened.kind === 'sepa' ? opened.iban : null,
  bic: opened.kind === 'sepa' ? opened.bic : null,
});
