import { Type } from 'typebox';
import { listOwnMemberships } from '../members/read/list-own-memberships.ts';
import type { App } from '../platform/http/app-type.ts';
import { minor, time } from '../platform/http/schemas/fields.ts';
import { text } from '../platform/http/schemas/schemas.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Portal } from '../portal/create-portal.ts';
import { accountsOf } from '../portal/require-portal.ts';
import { readHoldDays } from '../settlement/payouts/read/read-hold-days.ts';
import { idsOf, membershipFields, namesOfMembership } from './membership-fields.ts';
import { portalOperations } from './portal-operations.ts';

const holdDay = Type.Object(
  {
    day: time('Start of the UTC day.'),
    amountMinor: minor('Amount whose hold period ends on the day; negative if more was taken back.'),
  },
  { title: 'HoldDay' },
);

const heldCurrency = Type.Object(
  {
    currency: Type.String(),
    amountMinor: minor(
      'Amount in the hold period. The days and the rest add up to it. Home shows the same amount.',
    ),
    days: Type.Array(holdDay, {
      description: 'Days on which amounts leave the hold period, earliest first; at most 62.',
    }),
    laterMinor: minor('Amount of the days that are not listed.'),
  },
  { title: 'HeldCurrency' },
);

const heldMembership = Type.Object(
  {
    ...membershipFields,
    asOf: time('Time of the amounts.'),
    currencies: Type.Array(heldCurrency, {
      description: 'Only currencies with an amount in the hold period.',
    }),
  },
  { title: 'HeldMembership' },
);

export function holdPeriodRoutes(app: App, { db }: Portal): void {
  const operation = portalOperations(app, 'Earnings');
  operation(
    ['get', '/hold-period', 'getHoldPeriod'],
    {
      of: 'publisher',
      summary: 'Get the days on which the hold period of the creator’s money in a group ends',
      description:
        'A payout pays an amount only after its hold period, if nothing else keeps it back. Home contains the other reasons.',
      query: { groupId: text(255, 'Id of a group that the creator is in.') },
      answer: Type.Object({ memberships: Type.Array(heldMembership) }, { title: 'HoldPeriod' }),
    },
    async (request) => {
      const { publisher: publisherId, groupId } = request.query;
      const own = await listOwnMemberships(db, publisherId, idsOf(accountsOf(request)));
      const here = own.filter((each) => each.groupId === groupId);
      if (here.length === 0) throw new Refusal('NotFound', 'None of your creator accounts is in this group.');
      const memberships = [];
      for (const membership of here) {
        const { accountId: memberId, membershipId } = membership;
        const held = await readHoldDays(db, { publisherId, groupId, memberId, membershipId });
        memberships.push({ ...namesOfMembership(membership), ...held });
      }
      return { memberships };
    },
  );
}
