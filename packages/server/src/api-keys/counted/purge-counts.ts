import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { purgePublishers, rowsAtOnce } from '../purge-publishers.ts';
import { hourOf } from './save-counts.ts';

/** Retention period for sums: seven days, rounded up to the next whole hour. */
const retentionMs = 7 * 86_400_000;
/** Maximum number of sums stored per publisher, about 15 MB. */
const maxStored = 50_000;

/**
 * Deletes sums past the retention period, and the oldest sums of publishers that have too many, in batches with
 * one commit each.
 * @returns the number of deleted sums
 */
export async function purgeCounts(
  db: Db,
  now: Date,
  stopping: AbortSignal,
  maxRows: number = maxStored,
): Promise<number> {
  const before = hourOf(new Date(now.getTime() - retentionMs));
  return purgePublishers(db, stopping, (publisherId) => purgeBatch(db, publisherId, before, maxRows));
}

/**
 * Deletes a batch of sums. The limit applies to whole hours: if an hour's sums exceed it, all sums up to and including
 * that hour are deleted.
 */
async function purgeBatch(db: Db, publisherId: string, before: Date, maxRows: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with beyond as materialized (
      select hour
      from request_count
      where publisher_id = ${publisherId}
      order by hour desc
      offset ${maxRows}
      limit 1
    )
    delete from request_count
    where publisher_id = ${publisherId}
      and (hour, key_id, method, route, status, code) in (
        select hour, key_id, method, route, status, code
        from request_count
        where publisher_id = ${publisherId}
          and (hour < ${before}::timestamptz or hour <= (select hour from beyond))
        order by hour
        limit ${rowsAtOnce}
      )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
