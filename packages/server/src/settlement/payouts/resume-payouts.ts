import { type RawBuilder, sql } from 'kysely';
import { serviceActor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { moment, readMoment } from '../../platform/database/moment.ts';
import type { PayoutBatchId } from '../../platform/database/tables.generated.ts';
import { endOfLease } from './payout-step.ts';
import { finishReturn, returnPayout } from './return-payout.ts';

export const isAbandoned = (now: RawBuilder<Date> | Date): RawBuilder<unknown> =>
  sql`status in ('Preparing', 'Cancelling') and worked_until < ${now}`;

export const hasAbandonedPayouts = sql`exists (select 1 from payout_batch where ${isAbandoned(moment)})`;

export async function publishersToResume(db: Db): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id from payout_batch where ${isAbandoned(moment)} order by publisher_id`.execute(
    db,
  );
  return rows.map(({ publisher_id }) => publisher_id);
}

/**
 * Recovers a publisher's abandoned payouts after a crash. Undoes unfinished creations with the service as the actor,
 * and finishes cancellations, which already have an audit log entry.
 * @returns the number of payouts recovered
 */
export async function resumePayouts(db: Db, publisherId: string): Promise<number> {
  const { rows } = await sql<{ batch_id: PayoutBatchId; status: string }>`
    select batch_id, status
    from payout_batch
    where publisher_id = ${publisherId} and ${isAbandoned(moment)}
    order by batch_id`.execute(db);
  for (const { batch_id, status } of rows) {
    if (status === 'Preparing')
      await returnPayout(db, {
        publisherId,
        batchId: batch_id,
        from: status,
        by: { actor: serviceActor, action: 'payout.undo', reason: null },
      });
    else if (await takeOver(db, publisherId, batch_id)) await finishReturn(db, publisherId, batch_id);
  }
  return rows.length;
}

async function takeOver(db: Db, publisherId: string, batchId: PayoutBatchId): Promise<boolean> {
  const now = await readMoment(db);
  const { numAffectedRows } = await sql`
    update payout_batch
    set worked_until = ${endOfLease(now)}
    where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid and ${isAbandoned(now)}`.execute(db);
  return numAffectedRows === 1n;
}
