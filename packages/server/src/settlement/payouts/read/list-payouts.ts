import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { isRowId } from '../../../platform/ids.ts';
import type { Page, Pages } from '../../../platform/page.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { requirePublisher } from '../../../publishers/require-publisher.ts';
import { type PayoutBatch, type PayoutStatus, readBatches } from './read-payouts.ts';

export interface PayoutFilter {
  groupId?: string | undefined;
  /** Empty for all statuses. */
  statuses?: readonly PayoutStatus[] | undefined;
  currency?: string | undefined;
  /** True to leave out batches that were undone before they were complete. */
  withoutUndone?: boolean;
}

/**
 * Lists one page of a publisher's batches, newest first.
 * @param size 1 … 1,000
 * @throws Refusal when the publisher does not exist; InvalidCursor
 */
export async function listPayouts(
  db: Db,
  pages: Pages,
  publisherId: string,
  { cursor, size, ...filter }: { cursor: string | null; size: number } & PayoutFilter,
): Promise<Page<PayoutBatch>> {
  await requirePublisher(db, publisherId);
  const { groupId = null, statuses = [], currency = null, withoutUndone = false } = filter;
  const listing = ['payouts', publisherId, groupId, [...new Set(statuses)].sort(), currency, withoutUndone];
  const [before = null] = pages.after(listing, cursor) ?? [];
  if (before !== null && !isRowId(before))
    throw new Refusal('InvalidCursor', 'The cursor is not from a payout list. Start over without a cursor.');
  const batches = await readBatches(
    db,
    publisherId,
    sql`
      ${before === null ? sql`` : sql`and batch_id < ${before}::uuid`}
      ${groupId === null ? sql`` : sql`and group_id = ${groupId}`}
      ${statuses.length === 0 ? sql`` : sql`and status = any(${[...statuses]}::text[])`}
      ${currency === null ? sql`` : sql`and currency = ${currency}`}
      ${withoutUndone ? sql`and not was_undone` : sql``}
      order by batch_id desc
      limit ${size + 1}`,
  );
  return pages.cut(listing, batches, size, ({ batchId }) => [batchId]);
}
