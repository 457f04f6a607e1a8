import { Type } from 'typebox';
import {
  maxListedReductions,
  type Reduction,
  type Reductions,
} from '../../settlement/payouts/create/reductions.ts';
import { minor, nullable } from '../schemas.ts';
import { changeReason } from './payout-change-schema.ts';

export const reduction = Type.Object(
  {
    payoutId: nullable(
      Type.String({
        description: 'Null if no member is paid anything in the currency, so that there is no payout.',
      }),
    ),
    memberId: Type.String(),
    name: Type.String(),
    currency: Type.String(),
    previewedMinor: minor('Amount in the preview.'),
    paidMinor: minor('Amount that the payout pays; 0 for a member whom it does not pay.'),
    reasons: Type.Array(changeReason),
  },
  { title: 'PayoutReduction', description: 'Member who is paid less than the preview showed.' },
);

/** Schema of the reductions of one or several payouts. */
export const reductions = Type.Object(
  {
    count: Type.Integer({ description: 'Number of reductions, including those not listed.' }),
    totals: Type.Array(
      Type.Object(
        { currency: Type.String(), amountMinor: minor('Sum of the reductions.') },
        { title: 'ReductionTotal', description: 'Sum of the reductions in one currency.' },
      ),
    ),
    members: Type.Array(reduction, {
      description: `Largest first, up to ${maxListedReductions.toLocaleString('en')}. \`listPayoutReductions\` lists all reductions of a payout.`,
    }),
  },
  {
    title: 'PayoutReductions',
    description:
      'Members who are paid less than the preview showed. A payout that is being created lists those so far.',
  },
);

/** Renames a reduction's `batchId` to `payoutId`, as in the rest of the admin API. */
export const toReduction = ({ batchId: payoutId, ...rest }: Reduction) => ({ payoutId, ...rest });

export const toReductions = ({ members, ...rest }: Reductions) => ({
  ...rest,
  members: members.map(toReduction),
});
