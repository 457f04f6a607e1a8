import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { rowIdAt } from '../platform/ids.ts';

const batchRows = 1_000;
/** Pause between batches, so that they don't slow down recording and reading. */
const pauseMs = 20;
const dayMs = 86_400_000;

/**
 * Blanks the buyer's id, name and metrics on purchases older than the publisher's `forgetBuyersAfterDays`, one batch
 * per commit. Nothing else in a row changes, because purchases are identified by transactionId, and earnings
 * belong to the member.
 * @returns the number of rows scanned
 */
export async function forgetBuyers(db: Db, now: Date, stopping: AbortSignal): Promise<number> {
  const publishers = await db
    .selectFrom('publisher')
    .select(['publisher_id', 'forget_buyers_after_days'])
    .where('forget_buyers_after_days', 'is not', null)
    .orderBy('publisher_id')
    .execute();
  let scanned = 0;
  for (const { publisher_id, forget_buyers_after_days } of publishers) {
    const end = rowIdAt(new Date(now.getTime() - (forget_buyers_after_days ?? 0) * dayMs));
    for (let hasMore = true; hasMore && !stopping.aborted; ) {
      const batch = await forgetBatch(db, publisher_id, end);
      scanned += batch.rows;
      hasMore = batch.hasMore;
      if (hasMore) await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return scanned;
}

/**
 * Blanks the buyers in the next batch and saves the progress in the same commit. Rows are processed in
 * recording order.
 */
const forgetBatch = (db: Db, publisherId: string, end: string): Promise<{ rows: number; hasMore: boolean }> =>
  inTransaction(db, async (tx) => {
    // Only one process at a time forgets a publisher's buyers. The next process picks up where the previous
    // one left off.
    await sql`select pg_advisory_xact_lock(hashtextextended('forget buyers ' || ${publisherId}::text, 0))`.execute(
      tx,
    );
    const progress = await tx
      .selectFrom('buyer_forgetting')
      .select(['forgotten_before', 'metrics_forgotten_before'])
      .where('publisher_id', '=', publisherId)
      .executeTakeFirst();
    const rows = await tx
      .selectFrom('attribution')
      .select('attribution_id')
      .where('publisher_id', '=', publisherId)
      .where(
        'attribution_id',
        '>',
        (progress?.metrics_forgotten_before ?? rowIdAt(new Date(0))) as AttributionId,
      )
      .where('attribution_id', '<', end as AttributionId)
      .orderBy('attribution_id')
      .limit(batchRows)
      .execute();
    const ids = rows.map(({ attribution_id }) => attribution_id);
    const last = ids.at(-1);
    // Progress is stored as the last row's id instead of a time, so that no rows are skipped if a clock jumps
    // ahead and back.
    if (last === undefined) return { rows: 0, hasMore: false };
    await sql`
      update attribution
      set player_id = null, player_name = null, metrics = null
      where publisher_id = ${publisherId} and attribution_id = any(${ids}::uuid[])
        and (player_id is not null or player_name is not null or metrics is not null)`.execute(tx);
    await tx
      .deleteFrom('former_buyer')
      .where('publisher_id', '=', publisherId)
      .where('attribution_id', 'in', ids)
      .execute();
    // Version 0.1.0 may have forgotten later purchases, but without their metrics.
    const idsBefore =
      progress === undefined || progress.forgotten_before < last ? last : progress.forgotten_before;
    const values = { forgotten_before: idsBefore, metrics_forgotten_before: last };
    await tx
      .insertInto('buyer_forgetting')
      .values({ publisher_id: publisherId, ...values })
      .onConflict((conflict) => conflict.column('publisher_id').doUpdateSet(values))
      .execute();
    return { rows: ids.length, hasMore: ids.length === batchRows };
  });
