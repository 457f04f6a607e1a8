import type { Db } from '../../platform/database/database.ts';
import { readMoment } from '../../platform/database/moment.ts';

interface OfPerson {
  /** Live publisher whose staff the person belongs to. */
  publisherId: string;
  userId: string;
}

/** Returns when the person last viewed a payout preview in a sandbox of the publisher; null if never. */
export async function readPreviewSeen(db: Db, { publisherId, userId }: OfPerson): Promise<Date | null> {
  const row = await db
    .selectFrom('staff')
    .select('preview_seen_at')
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.preview_seen_at ?? null;
}

/** Records that the person viewed a payout preview in a sandbox. */
export async function notePreviewSeen(db: Db, { publisherId, userId }: OfPerson): Promise<void> {
  const now = await readMoment(db);
  await db
    .updateTable('staff')
    .set({ preview_seen_at: now })
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .execute();
}

/**
 * Hides the payout rehearsal guide from the person in all of the publisher's sandboxes, or shows it again.
 */
export async function hideRehearsal(
  db: Db,
  { publisherId, userId }: OfPerson,
  isHidden: boolean,
): Promise<void> {
  const now = await readMoment(db);
  await db
    .updateTable('staff')
    .set({ rehearsal_hidden_at: isHidden ? now : null })
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .execute();
}
