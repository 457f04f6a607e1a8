import { Type } from 'typebox';
import { type OwnHistory, readOwnHistory } from '../members/read/list-own-memberships.ts';
import type { App } from '../platform/http/app-type.ts';
import { minor, nullable, oneOf, pageOf, time } from '../platform/http/schemas/fields.ts';
import type { Pages } from '../platform/page.ts';
import type { Portal } from '../portal/create-portal.ts';
import { accountsOf } from '../portal/require-portal.ts';
import {
  listOwnPayouts,
  type OwnPayout,
  ownPayoutStates,
  readOwnPayout,
} from '../settlement/payouts/read/own-payouts.ts';
import { lineResults } from '../settlement/payouts/results/result.ts';
import { idsOf, membershipFields, namesOfMembership, pageQuery } from './membership-fields.ts';
import { portalOperations } from './portal-operations.ts';

const note = nullable(
  Type.String({ description: "The publisher's note about the result, such as “Account closed”." }),
);

const payoutFields = {
  lineId: Type.String({ format: 'uuid', description: "Id of the creator's line in the payout." }),
  ...membershipFields,
  number: Type.Integer({ description: 'Number of the payout.' }),
  reference: Type.String({
    description: 'Reference of the payment, such as 1042-00017. The bank or provider shows it.',
  }),
  currency: Type.String(),
  amountMinor: minor('Amount.'),
  state: oneOf(ownPayoutStates, {
    title: 'PayoutState',
    description:
      "created: in a payout that isn't paid yet. sent: the bank or provider accepted the payment. paid: paid. failed: the payment " +
      "didn't go through, so the amount is owed again. returned: the money came back, so the amount is owed again. canceled: the " +
      'payout was canceled, so the amount is owed again.',
  }),
  createdAt: time('When the payout was created.'),
  stateAt: time('Time of the state.'),
  note,
  method: nullable(
    Type.Object(
      {
        kind: Type.String({ description: 'paypal, wise-email or sepa.' }),
        hint: Type.String({ description: 'Part of the address or account, such as DE… 4821.' }),
      },
      { title: 'MethodOfPayout', description: 'Payout method that the money goes to.' },
    ),
  ),
  collectBy: nullable(
    time(
      'The creator must collect the money by this time, if it has not arrived: PayPal and Wise ask for it by email. Null if there is nothing to collect.',
    ),
  ),
  purchaseCount: Type.Integer({ description: 'Number of purchases.' }),
  purchasesMinor: minor('Shares of these purchases.'),
  rewardCount: Type.Integer({ description: "Number of bounties' rewards." }),
  rewardsMinor: minor('Sum of these rewards.'),
  adjustmentsMinor: minor(
    'Shares that were taken back after they were paid (negative), and payments that failed or came back (positive).',
  ),
};

const payout = Type.Object(payoutFields, {
  title: 'PayoutOfCreator',
  description: "The creator's line in a payout.",
});

const payoutDetail = Type.Object(
  {
    ...payoutFields,
    results: Type.Array(
      Type.Object(
        {
          result: oneOf(lineResults, { title: 'PaymentResult' }),
          at: time('Time of the result.'),
          note,
        },
        { title: 'ResultOfPayment' },
      ),
      { description: 'Results of the payment, in their order.' },
    ),
    owedAgain: nullable(
      Type.Object(
        {
          amountMinor: minor('Amount that is owed again.'),
          payoutNumber: nullable(
            Type.Integer({ description: 'Number of the payout that contains it; null until the next one.' }),
          ),
        },
        { title: 'OwedAgain', description: 'Set if the payment failed or came back.' },
      ),
    ),
  },
  { title: 'PayoutDetailOfCreator' },
);

export function payoutRoutes(app: App, { db }: Portal, pages: Pages): void {
  const operation = portalOperations(app, 'Payouts');
  const historyOf = (request: Parameters<typeof accountsOf>[0], publisherId: string) =>
    readOwnHistory(db, publisherId, idsOf(accountsOf(request)));

  operation(
    ['get', '/payouts', 'listPayouts'],
    {
      of: 'publisher',
      summary: 'List the creator’s payouts',
      description: 'Lists the latest payout first.',
      query: pageQuery,
      answer: pageOf(payout, 'PayoutPage'),
    },
    async (request) => {
      const { publisher: publisherId, cursor = null, limit = 30 } = request.query;
      const own = await historyOf(request, publisherId);
      const of = { publisherId, membershipIds: [...own.keys()] };
      const { rows, nextCursor } = await listOwnPayouts(db, pages, of, { cursor, size: limit });
      return { rows: rows.map((row) => withNames(row, own)), nextCursor };
    },
  );

  operation(
    ['get', '/payouts/:lineId', 'getPayout'],
    {
      of: 'publisher',
      summary: 'Get one of the creator’s payouts',
      description:
        'Contains what became of the payment, and the payout that contains its amount if it failed or came back.',
      path: { lineId: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the line.' }) },
      answer: payoutDetail,
    },
    async (request) => {
      const { publisher: publisherId } = request.query;
      const own = await historyOf(request, publisherId);
      const of = { publisherId, membershipIds: [...own.keys()] };
      return withNames(await readOwnPayout(db, of, request.params.lineId), own);
    },
  );
}

function withNames<Row extends OwnPayout>({ membershipId, ...row }: Row, own: OwnHistory) {
  const membership = own.get(membershipId);
  if (membership === undefined) throw new Error('the line belongs to another creator');
  return { ...row, ...namesOfMembership(membership) };
}
