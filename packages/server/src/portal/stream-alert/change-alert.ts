import type { Db } from '../../platform/database/database.ts';
import { type AlertOwner, type AlertSettings, noAlert } from './alerts.ts';

/** Replaces the settings of a person's stream alert. @throws Refusal NotFound if there is none */
export async function changeAlert(
  db: Db,
  { publisherId, userId }: AlertOwner,
  { text, placement, showSeconds }: AlertSettings,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('stream_alert')
    .set({ text, placement, show_seconds: showSeconds })
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw noAlert();
}
