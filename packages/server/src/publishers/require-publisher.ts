import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';

/** @throws Refusal NotFound */
export async function requirePublisher(db: Db | Tx, publisherId: string): Promise<void> {
  if (!(await isPublisher(db, publisherId)))
    throw new Refusal('NotFound', `There is no publisher ${publisherId}.`);
}

export async function isPublisher(db: Db | Tx, publisherId: string): Promise<boolean> {
  const found = await db
    .selectFrom('publisher')
    .select('publisher_id')
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  return found !== undefined;
}

export async function isAnyPublisher(db: Db): Promise<boolean> {
  const found = await db.selectFrom('publisher').select('publisher_id').limit(1).executeTakeFirst();
  return found !== undefined;
}
