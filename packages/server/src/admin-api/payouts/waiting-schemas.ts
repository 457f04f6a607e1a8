import { Type } from 'typebox';
import { waitingKinds } from '../../settlement/payouts/waiting.ts';
import { minor, nullable, oneOf, time } from '../schemas.ts';

const waitingReason = Type.Object(
  {
    kind: oneOf(waitingKinds, {
      title: 'WaitingKind',
      description:
        'hold: a hold on rows or on the creator. review: the creator is under review. tax: payouts need a tax clearance, and the ' +
        'creator has none. no-method: payouts need a payout method, and the creator has none for the currency. new-method: the ' +
        "creator's payout method can't be used yet. minimum: the sum is below the minimum. repaying: clawbacks exceed the " +
        'earnings. hold-period: the ' +
        "group's hold period isn't over. in-payout: the amount is in a payout that isn't paid yet.",
    }),
    until: nullable(time('When the reason ends automatically; null if there is no such time.')),
    note: nullable(Type.String({ description: 'Reason for a hold, or note about a review.' })),
    rowCount: nullable(
      Type.Integer({ description: 'Number of rows on hold; null for a hold on the creator.' }),
    ),
    missingMinor: nullable(minor('Amount by which the sum is below the minimum.')),
    payout: nullable(
      Type.Object(
        { payoutId: Type.String(), number: Type.Integer(), status: Type.String() },
        { title: 'WaitingPayout', description: 'Payout that the amount is in.' },
      ),
    ),
  },
  { title: 'WaitingReason', description: 'Reason why an amount is waiting.' },
);

export const waitingAmounts = Type.Array(
  Type.Object(
    {
      amountMinor: minor('Amount; negative if the member is repaying.'),
      reasons: Type.Array(waitingReason),
    },
    { title: 'WaitingAmount', description: 'Waiting amount, with all of its reasons.' },
  ),
  {
    description:
      'Everything that the member is owed and that the payout does not pay. Each amount is listed once, with all of its reasons.',
  },
);
