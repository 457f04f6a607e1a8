import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { dropDays } from '../../platform/database/days/drop-days.ts';

/** Beside today. */
const keptMs = 7 * 86_400_000;
/** Of a publisher: some 15 MB, whatever it sends. */
const maxKept = 50_000;
const rowsAtOnce = 5_000;

/**
 * Drops the days that are more than seven days ago, and of a publisher that has very many refused requests deletes the
 * oldest. A set a commit.
 * @returns how many it deleted
 */
export async function purgeRefused(
  db: Db,
  now: Date,
  stopping: AbortSignal,
  most: number = maxKept,
): Promise<number> {
  await dropDays(db, 'refused_request', new Date(now.getTime() - keptMs), stopping);
  const { rows: publishers } = await sql<{ publisher_id: string }>`
    select publisher_id from publisher order by publisher_id`.execute(db);
  let purged = 0;
  for (const { publisher_id } of publishers)
    for (let deleted = rowsAtOnce; deleted === rowsAtOnce && !stopping.aborted; purged += deleted)
      deleted = await purgeSet(db, publisher_id, most);
  return purged;
}

async function purgeSet(db: Db, publisherId: string, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with beyond as materialized (
      select refused_id
      from refused_request
      where publisher_id = ${publisherId}
      order by refused_id desc
      offset ${most}
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
