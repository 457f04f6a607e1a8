import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { versionOf } from '../platform/version.ts';
import type { PayoutNeeds } from './payout-needs.ts';

/** Publisher's settings, with the version to send when editing them. */
export interface VersionedPublisher {
  name: string;
  forgetBuyersAfterDays: number | null;
  payoutsNeed: PayoutNeeds;
  version: string;
}

export async function readPublisher(db: Db | Tx, publisherId: string): Promise<VersionedPublisher> {
  const { method, taxCleared, ...rest } = await db
    .selectFrom('publisher')
    .select(['name', 'forget_buyers_after_days as forgetBuyersAfterDays'])
    .select(['payouts_need_method as method', 'payouts_need_tax_cleared as taxCleared'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
  const settings = { ...rest, payoutsNeed: { method, taxCleared } };
  return { ...settings, version: versionOf(settings) };
}
