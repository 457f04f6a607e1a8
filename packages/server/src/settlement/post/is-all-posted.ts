import type { Db } from '../../platform/database/database.ts';

/** Returns whether all of a publisher's recorded rows have been posted. */
export async function isAllPosted(db: Db, publisherId: string): Promise<boolean> {
  const waiting = await db
    .selectFrom('unposted')
    .select('recording_id')
    .where('publisher_id', '=', publisherId)
    .limit(1)
    .executeTakeFirst();
  return waiting === undefined;
}
