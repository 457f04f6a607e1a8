import type { Db } from '../../platform/database/database.ts';
import { type AlertOwner, noAlert } from './alerts.ts';

/**
 * Makes the person's overlays show a test. The request is stored, because an overlay may be connected to another process.
 * @throws Refusal NotFound if there is no stream alert
 */
export async function requestTest(db: Db, { publisherId, userId }: AlertOwner, now: Date): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('stream_alert')
    .set({ tested_at: now })
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw noAlert();
}
