import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { readMemberWaiting } from '../../settlement/payouts/read/read-member-waiting.ts';
import { adminOperations } from '../admin-operations.ts';
import { memberPath } from '../members/member-schemas.ts';
import { groupQuery, minor, time } from '../schemas.ts';
import { plannedDay } from './preview-totals.ts';
import { waitingAmounts } from './waiting-schemas.ts';

const waitingInCurrency = Type.Object(
  {
    currency: Type.String(),
    balanceMinor: minor('Amount that the creator is owed, excluding amounts in payouts.'),
    dueMinor: minor('Amount that a payout would pay now.'),
    due: Type.Object(
      {
        rowCount: Type.Integer({ minimum: 0, description: 'Number of rows of purchases.' }),
        paymentsMinor: minor('Sum of shares of purchases.'),
        rewardsMinor: minor('Sum of bounty rewards.'),
        adjustmentsMinor: minor('Clawbacks that are deducted; zero or negative.'),
      },
      { title: 'MemberDueParts', description: 'Parts of `dueMinor`, which add up to it.' },
    ),
    minimumMinor: minor('Minimum payout.'),
    waiting: waitingAmounts,
  },
  { title: 'MemberWaitingInCurrency' },
);

export function waitingRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/members/:memberId/waiting', 'getCreatorWaiting'],
    {
      may: 'read',
      summary: "Get what a payout would pay a creator now, and why the rest isn't paid yet",
      description:
        'Uses the rules of previews. `dueMinor` and the waiting amounts that are not in payouts add up to the balance.',
      path: memberPath.properties,
      query: groupQuery,
      answer: Type.Object(
        {
          groupId: Type.String(),
          asOf: time('Time of the response, on the publisher’s clock.'),
          plannedFor: plannedDay,
          rows: Type.Array(waitingInCurrency, { description: 'One row for each currency, in order.' }),
        },
        { title: 'MemberWaiting' },
      ),
    },
    async ({ params: { publisherId, memberId }, query: { group } }) => {
      const groupId = await findGroup(db, publisherId, group);
      const waiting = await readMemberWaiting(db, { publisherId, groupId, memberId: toAccountId(memberId) });
      return { groupId, ...waiting };
    },
  );
}
