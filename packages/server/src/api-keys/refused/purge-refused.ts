import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { dropDays } from '../../platform/database/days/drop-days.ts';
import { purgePublishers, rowsAtOnce } from '../purge-publishers.ts';

/** Retention period for rejected requests, in addition to the current day. */
const retentionMs = 7 * 86_400_000;
/** Maximum number of requests stored per publisher, about 15 MB. */
const maxStored = 50_000;

/**
 * Drops the partitions of days past the retention period, and deletes the oldest requests of publishers that have too
 * many, in batches with one commit each.
 * @returns the number of deleted rows, not counting dropped partitions
 */
export async function purgeRefused(
  db: Db,
  now: Date,
  stopping: AbortSignal,
  maxRows: number = maxStored,
): Promise<number> {
  await dropDays(db, 'refused_request', new Date(now.getTime() - retentionMs), stopping);
  return purgePublishers(db, stopping, (publisherId) => purgeBatch(db, publisherId, maxRows));
}

async function purgeBatch(db: Db, publisherId: string, maxRows: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with beyond as materialized (
      select refused_id
      from refused_request
      where publisher_id = ${publisherId}
      order by refused_id desc
      offset ${maxRows}
      limit 1
    )
    delete from refused_request
    where publisher_id = ${publisherId}
      and refused_id in (
        select refused_id
        from refused_request
        where publisher_id = ${publisherId} and refused_id <= (select refused_id from beyond)
        order by refused_id
        limit ${rowsAtOnce}
      )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
