import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

/** Whether a publisher has its payouts paid by somebody else than who made them. */
export async function asksFourEyes(tx: Db | Tx, publisherId: string): Promise<boolean> {
  const rules = await tx
    .selectFrom('staff_rules')
    .select('four_eyes_payouts')
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  return rules?.four_eyes_payouts === true;
}
