import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { isRowId } from '../../../platform/ids.ts';
import type { Page, Pages } from '../../../platform/page.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { requirePublisher } from '../../../publishers/require-publisher.ts';
import { type PayoutBatch, readBatches } from './read-payouts.ts';

/**
 * One page of a publisher's batches, the newest first.
 * @param size 1 … 1,000
 * @throws Refusal when there is no such publisher; InvalidCursor
 */
export async function listPayouts(
  db: Db,
  pages: Pages,
  publisherId: string,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<PayoutBatch>> {
  await requirePublisher(db, publisherId);
  const listing = ['payouts', publisherId];
  const [before = null] = pages.after(listing, cursor) ?? [];
  if (before !== null && !isRowId(before)) throw new Refusal('InvalidCursor', 'The cursor is of no payout.');
  const batches = await readBatches(
    db,
    publisherId,
    sql`${before === null ? sql`` : sql`and batch_id < ${before}::uuid`} order by batch_id desc limit ${size + 1}`,
  );
  return pages.cut(listing, batches, size, ({ batchId }) => [batchId]);
}
