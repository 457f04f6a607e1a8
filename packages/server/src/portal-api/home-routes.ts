import { Type } from 'typebox';
import { codeRefusals } from '../members/read/code-refusals.ts';
import { listOwnCodes, listOwnMemberships } from '../members/read/list-own-memberships.ts';
import type { App } from '../platform/http/app-type.ts';
import { minor, nullable, oneOf, time } from '../platform/http/schemas/fields.ts';
import { countSupporters, noSupporters } from '../player-codes/supporters.ts';
import type { Portal } from '../portal/create-portal.ts';
import { readHome } from '../portal/read-home.ts';
import { accountsOf } from '../portal/require-portal.ts';
import { linkOf } from '../publishers/brand/code-link.ts';
import { readBrand } from '../publishers/brand/read-brand.ts';
import { nowAt } from '../publishers/publisher-time.ts';
import type { WaitingAmount } from '../settlement/payouts/waiting.ts';
import { waitingKinds } from '../settlement/payouts/waiting.ts';
import { idsOf, memberStatus, membershipFields } from './membership-fields.ts';
import { portalOperations } from './portal-operations.ts';

const membership = { ...membershipFields, status: memberStatus };

const waitingReason = Type.Object(
  {
    kind: oneOf(waitingKinds, {
      title: 'WaitingKind',
      description:
        'hold: the publisher keeps the amount back. review: the publisher is reviewing the account. tax: payouts need a tax ' +
        'clearance, and there is none. no-method: payouts need a payout method, and there is none for the currency. ' +
        "new-method: the payout method can't be used yet. minimum: the sum is below the minimum. repaying: more was taken " +
        "back than earned. hold-period: the group's hold period isn't over. in-payout: the amount is in a payout that isn't " +
        'paid yet.',
    }),
    until: nullable(time('When the reason ends automatically; null if there is no such time.')),
    missingMinor: nullable(minor('Amount that is missing to the minimum; null for other reasons.')),
    payoutNumber: nullable(
      Type.Integer({ description: 'Number of the payout that the amount is in; null for other reasons.' }),
    ),
  },
  { title: 'WaitingReason', description: 'Reason that an amount waits.' },
);

const currency = Type.Object(
  {
    currency: Type.String(),
    todayMinor: minor('Shares of the purchases of today (UTC), without reversed purchases.'),
    monthMinor: minor('Shares of the purchases of this month (UTC), without reversed purchases.'),
    balanceMinor: minor(
      'Amount that the publisher owes, without amounts in payouts; negative while repaying.',
    ),
    nextPayoutMinor: minor(
      'Amount that the payout on the planned day would pay of everything earned so far. Without a planned day, amount that a payout would pay now.',
    ),
    minimumMinor: minor('Smallest sum that a payout pays; 0 if nothing is owed.'),
    waiting: Type.Array(
      Type.Object(
        { amountMinor: minor('Amount; negative while repaying.'), reasons: Type.Array(waitingReason) },
        { title: 'WaitingAmount' },
      ),
      {
        description:
          'Everything that is owed and that a payout would not pay now. Each amount is listed once, with all of its reasons.',
      },
    ),
  },
  { title: 'HomeCurrency' },
);

const homeGroup = Type.Object(
  {
    ...membership,
    asOf: time('Time of the amounts.'),
    plannedFor: nullable(
      time(
        'Start of the day on which the next payout is planned; null if the publisher has announced no day.',
      ),
    ),
    currencies: Type.Array(currency, {
      description: 'The one with the most purchases in the last 31 days first.',
    }),
  },
  { title: 'HomeGroup', description: 'One of the creator’s memberships, with its money.' },
);

const codeOfCreator = Type.Object(
  {
    code: Type.String(),
    link: nullable(
      Type.String({
        description:
          'Address to share the code with. Null if the publisher has set none, or the code credits nothing.',
      }),
    ),
    scope: oneOf(['group', 'global'], {
      title: 'CodeScope',
      description: 'group: valid in this group only. global: valid in all groups of the account.',
    }),
    isPrimary: Type.Boolean({ description: 'True for the code that is shown first.' }),
    since: time('When the creator received the code.'),
    refusedFor: nullable(
      oneOf(codeRefusals, {
        title: 'CodeRefusal',
        description:
          'Reason that purchases with the code are not credited. code: the code is not approved. member: the membership is not approved. shadowed: another creator’s code of this group takes precedence.',
      }),
    ),
  },
  { title: 'CreatorCode' },
);

/** Period of the changes of supporters. */
const supporterDays = 30;

const supporters = Type.Object(
  {
    now: Type.Integer({
      description: 'Number of players who entered one of the codes, and whose code is in force.',
    }),
    new: Type.Integer({ description: 'Number of them who became supporters in the last 30 days.' }),
    ended: Type.Integer({ description: 'Number of players whose code ended in the last 30 days.' }),
  },
  { title: 'CreatorSupporters' },
);

export function homeRoutes(app: App, { db, clock }: Portal): void {
  const operation = portalOperations(app, 'Earnings');
  operation(
    ['get', '/home', 'getHome'],
    {
      of: 'publisher',
      summary: 'Get what the creator earned at a publisher, and when it is paid',
      description:
        'Purchases appear within seconds of being recorded. A planned day is a promise of the publisher; no payout is created automatically.',
      answer: Type.Object({ groups: Type.Array(homeGroup) }, { title: 'Home' }),
    },
    async (request) => {
      const groups = await readHome(db, request.query.publisher, idsOf(accountsOf(request)));
      return {
        groups: groups.map(({ currencies, ...group }) => ({
          ...group,
          currencies: currencies.map(({ plannedMinor, dueMinor: _, due: _parts, waiting, ...rest }) => ({
            ...rest,
            nextPayoutMinor: plannedMinor,
            waiting: waiting.map(shown),
          })),
        })),
      };
    },
  );

  operation(
    ['get', '/codes', 'listCodes'],
    {
      of: 'publisher',
      summary: 'List the creator’s codes at a publisher',
      description: 'Contains the codes that credit no purchases, with the reason.',
      answer: Type.Object(
        {
          groups: Type.Array(
            Type.Object(
              {
                ...membership,
                codes: Type.Array(codeOfCreator, { description: 'The primary code first.' }),
                supporters,
              },
              { title: 'CodesOfGroup' },
            ),
          ),
        },
        { title: 'CreatorCodes' },
      ),
    },
    async (request) => {
      const publisherId = request.query.publisher;
      const memberships = await listOwnMemberships(db, publisherId, idsOf(accountsOf(request)));
      const codes = await listOwnCodes(
        db,
        publisherId,
        memberships.map(({ membershipId }) => membershipId),
      );
      const { codeLink } = await readBrand(db, publisherId);
      const to = await nowAt(db, clock, publisherId);
      const period = { from: new Date(to.getTime() - supporterDays * 86_400_000), to };
      const supportersOf = new Map(
        await Promise.all(
          accountsOf(request).map(async ({ accountId }) => {
            const creator = { publisherId, groupId: null, memberId: accountId };
            return [accountId, await countSupporters(db, creator, period)] as const;
          }),
        ),
      );
      const byMembership = Map.groupBy(codes, ({ membershipId }) => membershipId);
      return {
        groups: memberships.map(({ membershipId, ...rest }) => ({
          ...rest,
          supporters: supportersOf.get(rest.accountId)?.get(rest.groupId) ?? noSupporters,
          codes: (byMembership.get(membershipId) ?? []).map(({ membershipId: _, ...code }) => ({
            ...code,
            link: codeLink === null || code.refusedFor !== null ? null : linkOf(codeLink, code.code),
          })),
        })),
      };
    },
  );
}

/** Leaves out what the publisher's staff wrote about a hold or a review, and the payout's internal id. */
const shown = ({ amountMinor, reasons }: WaitingAmount) => ({
  amountMinor,
  reasons: reasons.map(({ kind, until, missingMinor, payout }) => ({
    kind,
    until,
    missingMinor,
    payoutNumber: payout?.number ?? null,
  })),
});
