import { sql } from 'kysely';
import { purgePublishers, rowsAtOnce } from '../api-keys/purge-publishers.ts';
import type { Db } from '../platform/database/database.ts';
import { undoMs } from './undo-time.ts';

/**
 * Retention period for removed notes and tags. They can be restored only for a shorter time, so that a purge can't
 * coincide with a restoration.
 */
const keptMs = 2 * undoMs;

/**
 * Deletes removed notes, and removed tags along with their uses, in batches with one commit each.
 * @returns the number of deleted rows
 */
export async function purgeRemoved(db: Db, now: Date, stopping: AbortSignal): Promise<number> {
  const before = new Date(now.getTime() - keptMs);
  let purged = 0;
  for (const purgeBatch of [purgeNotes, purgeUses, purgeTags])
    purged += await purgePublishers(db, stopping, (publisherId) => purgeBatch(db, publisherId, before));
  return purged;
}

async function purgeNotes(db: Db, publisherId: string, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from creator_note
    where publisher_id = ${publisherId} and note_id in (
      select note_id
      from creator_note
      where publisher_id = ${publisherId} and removed_at < ${before}
      limit ${rowsAtOnce})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

async function purgeUses(db: Db, publisherId: string, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from creator_tagged
    where publisher_id = ${publisherId} and (tag_id, account_id) in (
      select o.tag_id, o.account_id
      from creator_tag t
      join creator_tagged o on o.publisher_id = ${publisherId} and o.tag_id = t.tag_id
      where t.publisher_id = ${publisherId} and t.removed_at < ${before}
      limit ${rowsAtOnce})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

async function purgeTags(db: Db, publisherId: string, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from creator_tag t
    where t.publisher_id = ${publisherId} and t.removed_at < ${before}
      and not exists (
        select 1 from creator_tagged o where o.publisher_id = ${publisherId} and o.tag_id = t.tag_id)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
