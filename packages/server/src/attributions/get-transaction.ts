import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { AttributionRow } from './attribution-row.ts';
import { readAttributions } from './read-attributions.ts';

/**
 * Reads every row of a purchase, in creation order, across all groups of the publisher.
 * @throws Refusal NotFound when the purchase doesn't exist
 */
export async function getTransaction(
  db: Db,
  publisherId: string,
  transactionId: string,
): Promise<AttributionRow[]> {
  const keys = sql`
    select attribution_id
    from attribution
    where publisher_id = ${publisherId} and transaction_id = ${transactionId}`;
  const rows = await readAttributions(db, publisherId, keys, sql`a.attribution_id`);
  if (rows.length === 0) throw transactionNotFound();
  return rows;
}

export const transactionNotFound = (): Refusal =>
  new Refusal('NotFound', 'No transaction has this transactionId.');
