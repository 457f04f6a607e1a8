import { type Static, Type } from 'typebox';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { closed } from '../platform/inputs.ts';

/** Schema of what a creator must have before a publisher's payouts pay the creator anything. */
export const payoutNeedsInput = Type.Object(
  {
    method: Type.Boolean({
      description:
        'True to pay only creators with a payout method for the currency that is usable at the cutoff.',
    }),
    taxCleared: Type.Boolean({
      description: "True to pay only creators with a tax clearance that is valid at the payout's cutoff.",
    }),
  },
  {
    ...closed,
    title: 'PayoutNeeds',
    description:
      "Requirements for payouts. Amounts of creators who don't meet them are kept out of payouts, and remain owed.",
  },
);

export type PayoutNeeds = Static<typeof payoutNeedsInput>;

export const noNeeds: PayoutNeeds = { method: false, taxCleared: false };

export async function readPayoutNeeds(db: Db | Tx, publisherId: string): Promise<PayoutNeeds> {
  const row = await db
    .selectFrom('publisher')
    .select(['payouts_need_method as method', 'payouts_need_tax_cleared as taxCleared'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  return row ?? noNeeds;
}
