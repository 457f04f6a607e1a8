import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

/** Number of rows that a batch may delete. */
export const rowsAtOnce = 5_000;

/**
 * Deletes each publisher's surplus rows in batches until a batch isn't full.
 * @param purgeBatch deletes up to `rowsAtOnce` of a publisher's rows in one commit and returns their number
 * @returns the number of deleted rows
 */
export async function purgePublishers(
  db: Db,
  stopping: AbortSignal,
  purgeBatch: (publisherId: string) => Promise<number>,
): Promise<number> {
  const { rows: publishers } = await sql<{ publisher_id: string }>`
    select publisher_id from publisher order by publisher_id`.execute(db);
  let purged = 0;
  for (const { publisher_id } of publishers)
    for (let deleted = rowsAtOnce; deleted === rowsAtOnce && !stopping.aborted; purged += deleted)
      deleted = await purgeBatch(publisher_id);
  return purged;
}
