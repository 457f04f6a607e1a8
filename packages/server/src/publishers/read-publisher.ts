import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { versionOf } from '../platform/version.ts';

/** Publisher's settings, with the version to send when editing them. */
export interface VersionedPublisher {
  name: string;
  forgetBuyersAfterDays: number | null;
  version: string;
}

export async function readPublisher(db: Db | Tx, publisherId: string): Promise<VersionedPublisher> {
  const settings = await db
    .selectFrom('publisher')
    .select(['name', 'forget_buyers_after_days as forgetBuyersAfterDays'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
  return { ...settings, version: versionOf(settings) };
}
