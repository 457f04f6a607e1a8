import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { nullable, time } from '../platform/http/schemas/fields.ts';
import { millionthsToPercent } from '../platform/percent.ts';
import type { Portal } from '../portal/create-portal.ts';
import { readRates } from '../portal/read-rates.ts';
import { accountsOf } from '../portal/require-portal.ts';
import type { DecidedShare } from '../revenue-shares/resolve-share.ts';
import { idsOf, memberStatus, membershipFields, namesOfMembership } from './membership-fields.ts';
import { portalOperations } from './portal-operations.ts';
import { percent, shareRule } from './share-fields.ts';

const rateFields = { percent: percent('Share.'), rule: shareRule };
const rate = Type.Object(rateFields, {
  title: 'Rate',
  description: 'Share and the rule that it comes from.',
});

const groupRates = Type.Object(
  {
    ...membershipFields,
    status: memberStatus,
    asOf: time('Time of the rates.'),
    tierName: nullable(Type.String({ description: "The creator's tier; null if there is none." })),
    now: rate,
    until: nullable(time('End of the schedule that applies now; null if none does.')),
    usual: rate,
    coming: Type.Array(
      Type.Object(
        { startsAt: time('Start of the window.'), endsAt: time('End of the window.'), ...rateFields },
        { title: 'ComingRate' },
      ),
      {
        description:
          'Next windows in which the share differs from the usual one, earliest first; at most 20.',
      },
    ),
    products: Type.Array(
      Type.Object(
        { skuId: Type.String({ description: 'SKU of the product.' }), percent: percent('Share.') },
        { title: 'ProductRate' },
      ),
      {
        description:
          'Products with a share of their own, which applies instead of the others, also during schedules; at most 100, by SKU.',
      },
    ),
    hasMoreProducts: Type.Boolean({ description: 'True if there are more such products.' }),
  },
  { title: 'GroupRates', description: "Shares of one of the creator's memberships." },
);

export function ratesRoutes(app: App, { db, clock }: Portal): void {
  const operation = portalOperations(app, 'Earnings');
  operation(
    ['get', '/rates', 'getRates'],
    {
      of: 'publisher',
      summary: 'Get the creator’s shares, now and next',
      description:
        'A percentage that the publisher sends with a purchase applies instead of all of these. The share of a purchase depends on the time of the purchase.',
      answer: Type.Object({ groups: Type.Array(groupRates) }, { title: 'Rates' }),
    },
    async (request) => {
      const groups = await readRates(db, clock, request.query.publisher, idsOf(accountsOf(request)));
      return {
        groups: groups.map(({ membership, now, usual, coming, products, ...rest }) => ({
          ...rest,
          ...namesOfMembership(membership),
          status: membership.status,
          now: toRate(now),
          usual: toRate(usual),
          coming: coming.map(({ startsAt, endsAt, ...share }) => ({ startsAt, endsAt, ...toRate(share) })),
          products: products.map(({ skuId, revShare }) => ({ skuId, percent: revShare })),
        })),
      };
    },
  );
}

const toRate = ({ rule, shareMillionths }: DecidedShare) => ({
  rule,
  percent: millionthsToPercent(shareMillionths),
});
