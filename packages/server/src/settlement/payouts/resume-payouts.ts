import { type RawBuilder, sql } from 'kysely';
import { serviceActor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { moment, readMoment } from '../../platform/database/moment.ts';
import type { PayoutBatchId } from '../../platform/database/tables.generated.ts';
import { endOfLease } from './payout-step.ts';
import { giveBack, returnPayout } from './return-payout.ts';

/** Which payouts nobody works on any more, as a condition in SQL. */
export const isAbandoned = (now: RawBuilder<Date> | Date): RawBuilder<unknown> =>
  sql`status in ('Preparing', 'Cancelling') and worked_until < ${now}`;

/** Whether some publisher has one, as a condition in SQL. */
export const areThereAbandoned = sql`exists (select 1 from payout_batch where ${isAbandoned(moment)})`;

/** The publishers that have payouts which nobody works on any more. */
export async function publishersToResume(db: Db): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id from payout_batch where ${isAbandoned(moment)} order by publisher_id`.execute(
    db,
  );
  return rows.map(({ publisher_id }) => publisher_id);
}

/**
 * Undoes what a crash left of payouts that were being made, by itself, and finishes what it left of cancellations, which
 * somebody began.
 * @returns how many payouts
 */
export async function resumePayouts(db: Db, publisherId: string): Promise<number> {
  const { rows } = await sql<{ batch_id: PayoutBatchId; status: string }>`
    select batch_id, status
    from payout_batch
    where publisher_id = ${publisherId} and ${isAbandoned(moment)}
    order by batch_id`.execute(db);
  for (const { batch_id, status } of rows) {
    if (status === 'Preparing')
      await giveBack(db, {
        publisherId,
        batchId: batch_id,
        from: status,
        by: { actor: serviceActor, action: 'payout.undo', reason: null },
      });
    else if (await takeOver(db, publisherId, batch_id)) await returnPayout(db, publisherId, batch_id);
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
