import { Type } from 'typebox';
import { changeReasons } from '../../settlement/payouts/create/change-reasons.ts';
import { minor, nullable, oneOf } from '../schemas.ts';

const sum = Type.Object(
  { totalMinor: minor('Total paid to members who are due a payment.'), memberCount: Type.Integer() },
  { title: 'PayoutSum', description: 'Total of a payout in one currency, and its number of members.' },
);

export const changeReason = oneOf(changeReasons, {
  title: 'PayoutChangeReason',
  description:
    'Reason for the difference. part: a partial refund. hold: a hold was placed. gate: the creator was put under review, or no longer has a tax clearance. minimum: what is left is below the minimum.',
});

export const exactly = Type.Optional(
  Type.Boolean({
    description:
      'True to pay exactly the amounts in the preview, or nothing. By default, members whose amounts fell since the preview are paid what is left.',
  }),
);

/**
 * Schema of the changes since a preview. The 409 response includes the changes when the previewed amounts can
 * no longer be paid.
 */
export const payoutChange = Type.Object(
  {
    cause: Type.Union(
      (['members', 'payout', 'terms'] as const).map((each) => Type.Literal(each)),
      {
        title: 'PayoutChangeCause',
        description:
          'members: amounts changed. payout: another payout was created. terms: the hold period, the minimums or the sandbox clock changed.',
      },
    ),
    payoutId: nullable(Type.String({ description: 'Id of the other payout.' })),
    currencies: Type.Array(
      Type.Object(
        {
          currency: Type.String(),
          isChanged: Type.Boolean({
            description: 'False if this currency can still be paid on its own, with the same asOf.',
          }),
          onlyFell: Type.Boolean({
            description:
              'True if amounts only fell. The same request without `exactly` then creates the payout, with `after` or less.',
          }),
          before: nullable(sum),
          after: sum,
        },
        {
          title: 'ChangedCurrency',
          description:
            'Totals in one currency. `before` is as previewed, or null if no longer known. `after` is what is left of it if amounts only fell, otherwise what is due now.',
        },
      ),
    ),
    causes: Type.Array(
      Type.Object(
        { reason: changeReason, count: Type.Integer() },
        {
          title: 'PayoutChangeCount',
          description: 'Number of refunds, holds or gated members with the same reason.',
        },
      ),
      {
        description:
          'Refunds and holds since the preview that changed amounts of its members, and members who are kept out by a gate.',
      },
    ),
    members: Type.Array(
      Type.Object(
        {
          memberId: Type.String(),
          name: Type.String(),
          currency: Type.String(),
          beforeMinor: minor('Amount as previewed; 0 for a member who was not due.'),
          afterMinor: minor(
            'Amount that is left if amounts only fell, otherwise the current amount; 0 for a member who is not due.',
          ),
          reasons: Type.Array(changeReason),
        },
        { title: 'ChangedPayoutMember', description: 'Member who would be paid a different amount now.' },
      ),
      { description: 'Up to fifty members, with the largest differences first.' },
    ),
    changedCount: Type.Integer({ description: 'Total number of members whose amounts changed.' }),
  },
  { title: 'PayoutChange', description: 'Changes since the preview with this asOf.' },
);

export const payoutConflict = {
  description:
    'Conflict: another payout is being created, or the preview is out of date and payoutChange lists the differences.',
  content: {
    'application/json': {
      schema: Type.Object(
        { code: Type.String(), message: Type.String(), payoutChange: Type.Optional(payoutChange) },
        { title: 'PayoutConflict', description: 'Reason no payout was created.' },
      ),
    },
  },
};
