import type { Tx } from '../../platform/database/in-transaction.ts';
import type { PayoutBatchId } from '../../platform/database/tables.generated.ts';
import type { EventKind } from '../../webhooks/event-kinds.ts';
import { publishEvents } from '../../webhooks/publish-events.ts';

/**
 * Publishes what became of a payout, in the same commit. Sums are text: a payout may be larger than a JSON number
 * holds exactly.
 */
export async function announcePayout(
  tx: Tx,
  publisherId: string,
  batchId: PayoutBatchId,
  kind: EventKind & `Payout/${string}`,
): Promise<void> {
  const batch = await tx
    .selectFrom('payout_batch')
    .select(['group_id', 'currency', 'as_of', 'total_minor', 'member_count', 'row_count'])
    .where('publisher_id', '=', publisherId)
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  const event = {
    payoutId: batchId,
    groupId: batch.group_id,
    currency: batch.currency,
    totalMinor: String(batch.total_minor),
    memberCount: batch.member_count,
    rowCount: Number(batch.row_count),
    asOf: batch.as_of.toISOString(),
  };
  await publishEvents(tx, publisherId, [{ kind, event }]);
}
