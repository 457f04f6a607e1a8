import { Type } from 'typebox';
import { changeReasons } from '../../settlement/payouts/create/payout-changes.ts';
import { minor, nullable } from '../schemas.ts';

const sum = Type.Object(
  { totalMinor: minor('Of those who are due.'), memberCount: Type.Integer() },
  { title: 'PayoutSum', description: 'What a payout pays in one currency, and to how many members.' },
);

/** Changes since a preview that is no longer payable, beside code and message of the 409. */
const payoutChange = Type.Object(
  {
    cause: Type.Union(
      (['members', 'payout', 'terms'] as const).map((each) => Type.Literal(each)),
      {
        title: 'PayoutChangeCause',
        description:
          'members: amounts changed. payout: another one was made since. terms: the hold period, the minimums or the clock of a sandbox changed.',
      },
    ),
    payoutId: nullable(Type.String({ description: 'The other payout.' })),
    currencies: Type.Array(
      Type.Object(
        {
          currency: Type.String(),
          isChanged: Type.Boolean({ description: 'false: it can be created by itself, with the same asOf.' }),
          before: nullable(sum),
          after: sum,
        },
        {
          title: 'ChangedCurrency',
          description: 'Totals as previewed, null where they are not known any more, and as of now.',
        },
      ),
    ),
    members: Type.Array(
      Type.Object(
        {
          memberId: Type.String(),
          name: Type.String(),
          currency: Type.String(),
          beforeMinor: minor('As previewed; 0 for who was not due.'),
          afterMinor: minor('As of now; 0 for who is not due.'),
          reasons: Type.Array(
            Type.Union(
              changeReasons.map((each) => Type.Literal(each)),
              { title: 'PayoutChangeReason', description: 'Why the amount is another one.' },
            ),
          ),
        },
        { title: 'ChangedPayoutMember', description: 'A member who would be paid another amount now.' },
      ),
      { description: 'Fifty at most, the largest difference first.' },
    ),
    changedCount: Type.Integer({ description: 'All members who changed.' }),
  },
  { title: 'PayoutChange', description: 'Changes since the preview that asOf names.' },
);

export const payoutConflict = {
  description:
    'Conflict: another payout is being made, or the preview can’t be paid as it was; then payoutChange says what changed.',
  content: {
    'application/json': {
      schema: Type.Object(
        { code: Type.String(), message: Type.String(), payoutChange: Type.Optional(payoutChange) },
        { title: 'PayoutConflict', description: 'Why no payout was made.' },
      ),
    },
  },
};
