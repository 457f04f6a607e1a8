import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';

/** Reads the settings of the publisher whose staff the caller belongs to. */
export const readPublisher = (
  db: Db | Tx,
  publisherId: string,
): Promise<{ name: string; forgetBuyersAfterDays: number | null }> =>
  db
    .selectFrom('publisher')
    .select(['name', 'forget_buyers_after_days as forgetBuyersAfterDays'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
