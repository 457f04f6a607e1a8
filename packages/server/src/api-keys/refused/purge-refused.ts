import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { dropDays } from '../../platform/database/days/drop-days.ts';

/** Time for which requests are stored, in addition to the current day. */
const retentionMs = 7 * 86_400_000;
/** Maximum number of requests stored per publisher, about 15 MB. */
const maxStored = 50_000;
const rowsAtOnce = 5_000;

/**
 * Drops the partitions of days past the retention period. Also deletes the oldest requests of publishers that
 * have too many, in batches with one commit each.
 * @returns the number of deleted rows, not counting dropped partitions
 */
export async function purgeRefused(
  db: Db,
  now: Date,
  stopping: AbortSignal,
  maxRows: number = maxStored,
): Promise<number> {
  await dropDays(db, 'refused_request', new Date(now.getTime() - retentionMs), stopping);
  const { rows: publishers } = await sql<{ publisher_id: string }>`
    select publisher_id from publisher order by publisher_id`.execute(db);
  let purged = 0;
  for (const { publisher_id } of publishers)
    for (let deleted = rowsAtOnce; deleted === rowsAtOnce && !stopping.aborted; purged += deleted)
      deleted = await purgeBatch(db, publisher_id, maxRows);
  return purged;
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
