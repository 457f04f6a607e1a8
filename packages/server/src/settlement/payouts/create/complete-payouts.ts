import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import type { Db } from '../../../platform/database/database.ts';
import { inTransaction } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { announcePayout } from '../announce-payout.ts';

/**
 * Changes filled batches from Preparing to Created in one commit, with audit log entries and events. A batch that ended
 * up with no members is canceled without an entry or event.
 * @throws Refusal when another process has taken over a batch
 */
export function completePayouts(
  db: Db,
  actor: Actor,
  publisherId: string,
  batchIds: readonly PayoutBatchId[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const now = await readMoment(tx);
    const { rows } = await sql<{ batch_id: PayoutBatchId; status: string }>`
      update payout_batch
      set status = case when member_count = 0 then 'Cancelled' else 'Created' end,
          was_undone = member_count = 0,
          cancelled_at = case when member_count = 0 then ${now}::timestamptz end,
          worked_until = null
      where publisher_id = ${publisherId} and batch_id = any(${[...batchIds]}::uuid[]) and status = 'Preparing'
      returning batch_id, status`.execute(tx);
    if (rows.length !== batchIds.length)
      throw new Refusal('Conflict', 'The payout was canceled while it was being created. Nothing was paid.');
    for (const { batch_id, status } of rows)
      if (status === 'Created')
        await announcePayout(tx, actor, {
          publisherId,
          batchId: batch_id,
          action: 'payout.create',
          from: null,
          to: 'Created',
          event: 'Payout/PayoutCreated',
        });
  });
}
