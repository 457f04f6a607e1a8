import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { OperatorError } from '../platform/operator-error.ts';

/** @throws OperatorError when there is no such publisher */
export async function requirePublisher(db: Db | Tx, publisherId: string): Promise<void> {
  const found = await db
    .selectFrom('publisher')
    .select('publisher_id')
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  if (found === undefined) throw new OperatorError(`There is no publisher ${publisherId}.`);
}
